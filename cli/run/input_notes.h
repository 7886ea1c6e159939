// What there is to say about a text that is read.
#pragma once

#include <cstdint>
#include <string>

#include "cli/run/listener.h"
#include "io/model/model.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// Notes "3 tokens cut"; nothing where there are none.
void note_count(RunListener& listener, std::uint64_t count, const std::string& noun,
                const std::string& what);

/// Notes what was repaired, cut or left out in reading; nothing where nothing was.
void note_input(RunListener& listener, const InputCounters& counters);

/// Notes in which settings the tokens of `input` differ from those that `model` was trained on;
/// nothing where they do not, or the model does not say.
void note_tokenizer(RunListener& listener, const LoadedModel& model, const InputOptions& input);

}  // namespace elmo

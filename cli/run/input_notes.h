// Notes about a text that was read.
#pragma once

#include <cstdint>
#include <string>

#include "cli/run/listener.h"
#include "io/model/model.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// Notes "3 tokens cut"; nothing if `count` is 0.
void note_count(RunListener& listener, std::uint64_t count, const std::string& noun,
                const std::string& what);

/// Notes what was repaired, cut or left out while reading, if anything.
void note_input(RunListener& listener, const InputCounters& counters);

/// Notes in which settings the tokenizer of `input` differs from that of the training text of
/// `model`. Notes nothing if they agree or the model does not record its tokenizer.
void note_tokenizer(RunListener& listener, const LoadedModel& model, const InputOptions& input);

}  // namespace elmo

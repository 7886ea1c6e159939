// The input of a run, as text of its provenance, and notes about a text that was read.
#pragma once

#include <cstdint>
#include <string>

#include "cli/common/listener.h"
#include "io/model/model.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// How the files are read: "text", "jsonl, lines, text field body, id field id".
std::string input_format_text(const InputOptions& input);

/// The name of a single file or the number of files, their bytes, and a checksum of all names and
/// sizes. The contents of files are not read. Errors: as list_input_files.
std::string input_files_text(const InputOptions& input);

/// Notes "3 tokens cut"; nothing if `count` is 0.
void note_count(RunListener& listener, std::uint64_t count, const std::string& noun,
                const std::string& what);

/// Notes what was repaired, cut or left out while reading, if anything.
void note_input(RunListener& listener, const InputCounters& counters);

/// Notes in which settings the tokenizer of `input` differs from that of the training text of
/// `model`. Notes nothing if they agree or the model does not record its tokenizer.
void note_tokenizer(RunListener& listener, const LoadedModel& model, const InputOptions& input);

}  // namespace elmo

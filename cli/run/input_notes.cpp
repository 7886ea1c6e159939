#include "cli/run/input_notes.h"

#include <cstdint>
#include <string>

#include "cli/human.h"

namespace elmo {

void note_input(RunListener& listener, const InputCounters& counters) {
  const auto note = [&listener](std::uint64_t count, const char* noun, const std::string& what) {
    if (count > 0) listener.note(human_count(count, noun) + ' ' + what);
  };
  note(counters.invalid_sequences, "invalid UTF-8 sequence", "read as U+FFFD");
  note(counters.cut_sentences, "cut",
       "made in sentences of more than " + human_bytes(kMaxSentenceBytes));
  note(counters.empty_sentences, "empty sentence", "kept as a sentence of zero tokens");
  note(counters.bad_records, "malformed record", "left out");
  note(counters.empty_files, "empty file", "read: no text, no sentence");
  note(counters.left_out, "entry",
       "of folders left out, neither a file nor a folder, such as " + counters.first_left_out);
}

}  // namespace elmo

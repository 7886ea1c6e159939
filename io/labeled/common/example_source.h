// Examples of any kind of task, read from a file or a stream.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/common/task_corpus.h"

namespace elmo {

/// Texts that belong together in a file, and the examples made from them: a sentence, a pair of
/// texts, a context with its questions, or a document.
struct ExampleGroup {
  std::vector<Sentence> texts;      ///< at least one; may have no tokens
  std::vector<TaskRecord> records;  ///< refer to these texts by index; may be empty
};

/// Counts of input that was skipped or changed.
struct ExampleCounters {
  std::uint64_t malformed = 0;     ///< malformed records, skipped by ExampleInput::skip_bad_records
  std::uint64_t without_gold = 0;  ///< records skipped because their annotators did not agree
  std::uint64_t invalid_sequences = 0;  ///< invalid UTF-8 sequences read as U+FFFD
};

/// Reads groups in order. Errors: InputError, naming the file and the line, for anything that is
/// not an example of its kind; otherwise as the reader of the bytes. One thread.
class ExampleSource {
 public:
  virtual ~ExampleSource() = default;

  /// Replaces `group` by the next group. Returns false at the end.
  virtual bool next(ExampleGroup& group) = 0;

  /// True if next() would wait for a pipe.
  virtual bool next_would_wait() { return false; }

  /// Counts so far, including what was read ahead.
  virtual ExampleCounters counters() const { return {}; }
  /// A note to the user about the file, once it has been read; empty: nothing to report.
  virtual std::string note() const { return {}; }

  /// The name of the file in error messages.
  virtual const std::string& name() const = 0;
};

}  // namespace elmo

// Examples of any kind of task, from a file or a stream.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/common/task_corpus.h"

namespace elmo {

/// Texts that stand together in a file, and the examples that are made of them: a sentence, a pair
/// of texts, a context with its questions, a document.
struct ExampleGroup {
  std::vector<Sentence> texts;      ///< at least one; may be without tokens
  std::vector<TaskRecord> records;  ///< their texts are numbers of these; may be none
};

/// What a file holds that is not read as it is.
struct ExampleCounters {
  std::uint64_t malformed = 0;     ///< records left out, as ExampleInput::skip_bad_records asks for
  std::uint64_t without_gold = 0;  ///< records left out that their annotators did not agree on
  std::uint64_t invalid_sequences = 0;  ///< of UTF-8, read as U+FFFD
};

/// Groups from front to back. Errors: InputError naming the file and the line, for what is no
/// example of its kind; else as the reader of the bytes. One thread.
class ExampleSource {
 public:
  virtual ~ExampleSource() = default;

  /// Replaces `group` by the next one; false at the end.
  virtual bool next(ExampleGroup& group) = 0;

  /// Whether next() would wait for a pipe.
  virtual bool next_would_wait() { return false; }

  /// What has been met so far, as far as read ahead.
  virtual ExampleCounters counters() const { return {}; }
  /// What is to be said of the file once it has been read; empty: nothing.
  virtual std::string note() const { return {}; }

  /// The file, as errors name it.
  virtual const std::string& name() const = 0;
};

}  // namespace elmo

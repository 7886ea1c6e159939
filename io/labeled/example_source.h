// Selection of the labeled data to read.
//
// Examples of any kind of task, read from a file or a stream.
//
// Formats predictions of a task model as text.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/enum_table.h"
#include "core/inference/sentence.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_model.h"
#include "io/text/segment/segmenter.h"

namespace elmo {

/// A file of labeled data.
struct ExampleInput {
  std::string file;                ///< "-" is standard input
  std::string column = "upos";     ///< column of CoNLL-U with the labels of tokens
  TokenizerSettings tokenizer;     ///< for raw text
  bool labeled = true;             ///< else labels are ignored and may be missing
  bool skip_unanswerable = false;  ///< skip questions without an answer

  bool strict = false;            ///< invalid UTF-8 is an error; else it is read as U+FFFD
  bool skip_bad_records = false;  ///< skip and count malformed records

  /// Once true, next() throws ReadingStopped instead of waiting for a pipe. Not owned; may be null.
  const std::atomic<bool>* stop = nullptr;
};

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

  /// Counts so far, including what was read ahead.
  virtual ExampleCounters counters() const { return {}; }
  /// A note to the user about the file, once it has been read; empty: nothing to report.
  virtual std::string note() const { return {}; }

  /// The name of the file in error messages.
  virtual const std::string& name() const = 0;
};

/// squad: one JSON object {id: answer}, as read by SQuAD's own scorer.
enum class PredictionFormat { columns, conllu, jsonl, squad };

inline constexpr auto kPredictionFormats =
    enum_table<PredictionFormat>({{"columns", PredictionFormat::columns},
                                  {"conllu", PredictionFormat::conllu},
                                  {"jsonl", PredictionFormat::jsonl},
                                  {"squad", PredictionFormat::squad}});

/// Formats groups of examples with their predictions, one after another. One thread.
class PredictionWriter {
 public:
  virtual ~PredictionWriter() = default;

  /// The text of a group, with one prediction per record.
  virtual std::string text_of(const ExampleGroup& group,
                              std::span<const TaskPrediction> predictions) = 0;

  /// The text after the last group.
  virtual std::string end() { return {}; }
};

}  // namespace elmo

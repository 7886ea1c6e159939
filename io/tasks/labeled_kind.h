// A kind of task with the files that it reads and what it writes.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.h"
#include "core/inference/sentence.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "core/text.h"
#include "io/labeled/example_file.h"

namespace elmo {

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
  virtual std::string text_of(const ExampleGroup& group, TaskPredictions predictions) = 0;

  /// The text after the last group.
  virtual std::string end() { return {}; }
};

/// Options for writing predictions.
struct WriterOptions {
  PredictionFormat format = PredictionFormat::jsonl;
  std::vector<std::string> labels{};  ///< the model's labels
  std::size_t column = 4;             ///< column of CoNLL-U for the labels, 3 (lemma) to 10 (misc)
};

/// RequestError for a format that cannot hold labels.
void check_labels_format(PredictionFormat format);

/// A cell of columns that are separated by TABs: TABs and line ends become `_`.
std::string column_text(std::string text);

/// Throws a RequestError, which begins with `predictions`, unless `formats` contains the format.
void check_format(const char* predictions, std::initializer_list<PredictionFormat> formats,
                  PredictionFormat format);

/// A JSON array of text(value) of each value.
template <typename Values, typename Text>
std::string json_list_text(const Values& values, const Text& text) {
  return "[" + joined(values, ", ", text) + "]";
}

/// A form of files that models of a kind can label, and the settings that have an effect on it.
struct KindForm {
  TextForm form;
  /// Read as a labeled file is, without its labels. Otherwise the file is read as all commands read
  /// text, and LabeledKind::examples_of makes examples of its sentences.
  bool as_labeled = false;
  bool lines = false;      ///< InputOptions::lines
  bool tokenizer = false;  ///< the tokenizer and its locale
  bool fields = false;     ///< the names of fields
  bool table = false;      ///< the names of a table's columns
  bool records = false;    ///< skipping malformed records
};

/// Endings of the names of files in the columns of CoNLL-2005, 2011 and 2012.
inline constexpr std::array<std::string_view, 2> kConllNames{".conll", "_conll"};

/// A kind of task: its model, the files that it reads, and what it writes. Nothing outside of this
/// description depends on the kind. It need not be in the table of this program.
struct LabeledKind {
  TaskKind task;

  ExampleFormat format;             ///< format of labeled files
  bool skips_unanswerable = false;  ///< ExampleInput::skip_unanswerable has an effect

  std::vector<KindForm> forms;  ///< forms of files that can be labeled
  /// Makes examples of the sentences of a text. `sentences` must outlive them. Null if all `forms`
  /// are read as labeled files are.
  std::unique_ptr<ExampleSource> (*examples_of)(SentenceSource& sentences) = nullptr;

  /// Makes a writer of predictions. RequestError for a format that cannot hold them.
  std::unique_ptr<PredictionWriter> (*writer)(const WriterOptions& options) = nullptr;

  /// Its row of `forms`, or null.
  const KindForm* find(TextForm form) const;
};

}  // namespace elmo

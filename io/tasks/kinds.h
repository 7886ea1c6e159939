// The kinds of task of this program: their models, the files that they read, and what they write.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
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
  return std::string("[").append(joined(values, ", ", text)).append("]");
}

/// A form of files that models of a kind can label, and the settings that have an effect on it.
struct KindForm {
  TextForm form = TextForm::text;
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

/// The kinds of this program; the files that define them describe the formats of each.
///
/// - tag (tags.cpp): a sentence has one record (LabelGold), or none if it has no token. A label
///   without a token, another number of columns than before, and different numbers of tokens and
///   labels are malformed. RequestError if CoNLL-U has no such column.
/// - classify and pair: see make_text_reader() in texts.h.
/// - qa (questions.h): a group is a context with its questions. Its texts are the windows, then the
///   questions. Records are AskedQuestion. An answer that is not at its stated position is
///   malformed. InputError with a count if questions have no answer and are not to be skipped, and
///   at the end of a labeled file without any question.
/// - srl (frames.cpp): a group is a sentence with one record (FrameGold), or none if it has no
///   token. Tags that are not BIO or not one per token, and a predicate that is not a token are
///   malformed.
/// - coref (documents.cpp): a group is a document with one example (CorefGold), or none if it has
///   no token. Labels number the genres. Clusters of one mention are part of the examples; scores
///   leave them out. A span outside of the text, a duplicate span and wrong types are malformed.
///
/// Memory is bounded. A label of more than kMaxLabelBytes is malformed, as is a record or a
/// sentence of columns of more than kMaxSentenceBytes (qa and coref: kMaxRecordBytes). A sentence,
/// a text or a question of more than kDefaultMaxSentenceTokens is, too, except for tag, whose
/// sentences are cut.
LabeledKind labeled_tags();
LabeledKind labeled_texts();
LabeledKind labeled_pairs();
LabeledKind labeled_questions();
LabeledKind labeled_frames();
LabeledKind labeled_documents();

/// All of them, in the order in which users see them. Any thread.
std::span<const LabeledKind> labeled_kinds();

/// The kind with that name, or null. Any thread.
const LabeledKind* labeled_kind(std::string_view name,
                                std::span<const LabeledKind> kinds = labeled_kinds());

/// The names of the kinds for which `holds` is true: "classify, pair".
std::string names_of_kinds(const std::function<bool(const LabeledKind&)>& holds);

/// Opens a file of examples of a kind. `labels` numbers their labels and receives new ones; it must
/// outlive the file. `bytes`, if given, are the content of the file, which is then not opened or
/// decompressed. InputError if there is no such file, RequestError for an unknown locale. next()
/// throws InputError, naming the file and the line, for violations of the format, and at the end of
/// a labeled file without any label.
std::unique_ptr<ExampleFile> open_examples(const ExampleInput& input, const LabeledKind& kind,
                                           LabelSet& labels,
                                           std::unique_ptr<ByteSource> bytes = nullptr);

}  // namespace elmo

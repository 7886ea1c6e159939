// Labeled data of any kind of task.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/source.h"
#include "core/tasks/common/label_set.h"
#include "core/tasks/common/labelled_sentence.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/word_vocabulary.h"

namespace elmo {

/// A file of labeled data.
struct ExampleInput {
  std::string file;             ///< "-" is standard input
  std::string column = "upos";  ///< of CoNLL-U, that holds the labels of tokens
  std::string locale;           ///< whose rules segment labeled texts, as InputOptions::locale

  /// Once true, next() throws ReadingStopped where it would wait for a pipe; not owned, may be
  /// null.
  const std::atomic<bool>* stop = nullptr;
};

/// Opens a file of examples of that shape: sentences whose tokens are labeled, as
/// io/labelled/tokens has them, or texts and pairs, as io/labelled/texts has them. Errors: as
/// open_labelled() and open_labelled_texts().
std::unique_ptr<LabelledSource> open_examples(const ExampleInput& input, const ExampleShape& shape);

/// The examples of one file. Sentences without tokens are none, but count as sentences.
struct TaskExamples {
  std::string name;  ///< of the file
  std::vector<TaskRecord> records;
  std::uint64_t sentences = 0;  ///< of the file
};

/// Reads all examples of that shape into memory. Labels are numbered by `labels`, which gets those
/// that are new. Words are not looked up. Errors: as the source's.
TaskExamples read_examples(LabelledSource& source, const ExampleShape& shape, LabelSet& labels);

/// What a tagger can do with labels: if those of the examples are of a span scheme they are checked
/// (InputError as check_spans). If `scheme` is another one they are converted to it.
void prepare_spans(TaskExamples& examples, std::optional<SpanScheme> scheme, LabelSet& labels);

/// The words of examples, in lower case, in the order of their first occurrence. Those that occur
/// once are rare. Words of control characters have none.
WordVocabulary count_words(const TaskExamples& examples);

/// The rows of a sentence's tokens: as they are spelled, or else in lower case, or else 0.
std::vector<std::int32_t> word_rows(const Sentence& sentence, const WordVocabulary& words);

/// Sets the rows of all words.
void look_up_words(const WordVocabulary& words, TaskExamples& examples);

/// All sentences of the file, those without tokens too, in its order.
class ExampleSentences final : public SentenceSource {
 public:
  /// `examples` have to outlive it.
  explicit ExampleSentences(const TaskExamples& examples) : examples_(examples) {}

  bool next(Sentence& sentence) override;

 private:
  const TaskExamples& examples_;
  std::size_t record_ = 0;
  bool second_ = false;  // the next one is the record's second text
  std::uint64_t number_ = 0;
};

}  // namespace elmo

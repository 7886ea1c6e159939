// Labeled data of any kind of task.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/source.h"
#include "core/tasks/common/label_set.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/word_vocabulary.h"
#include "io/labeled/common/example_input.h"
#include "io/labeled/common/example_source.h"

namespace elmo {

/// Sentences whose tokens are labeled, as io/labeled/tokens has them, or labeled texts and pairs,
/// as io/labeled/texts has them. Labels are numbered by `labels`, which gets those that are new,
/// and has to outlive it. Errors: as open_labeled() and open_labeled_texts().
std::unique_ptr<ExampleSource> open_label_examples(const ExampleInput& input,
                                                   const ExampleShape& shape, LabelSet& labels);

/// Groups of so many sentences, each an example where all have tokens; `given` as TaskRecord has
/// it. `sentences` has to outlive it.
std::unique_ptr<ExampleSource> examples_of_sentences(SentenceSource& sentences, std::size_t texts,
                                                     std::vector<std::int32_t> given = {});

/// The examples of one file. A text without tokens has no example.
struct TaskExamples {
  std::string name;  ///< of the file
  std::vector<CorpusText> texts;
  std::vector<TaskRecord> records;
  ExampleCounters counters = {};
  std::vector<std::string> notes{};  ///< what is to be said of the file
};

/// Reads all examples into memory. Words are not looked up. Errors: as the source's.
TaskExamples read_examples(ExampleSource& source);

/// What a tagger can do with labels: if those of the examples are of a span scheme they are checked
/// (InputError as check_spans). If `scheme` is another one they are converted to it. IOB1 is
/// converted to `scheme` or else to IOB2, and noted.
void prepare_spans(TaskExamples& examples, std::optional<SpanScheme> scheme, LabelSet& labels);

/// The words of the examples' texts, in lower case, in the order of their first occurrence. Those
/// that occur once are rare. Words of control characters have none.
WordVocabulary count_words(const TaskExamples& examples);

/// The rows of a sentence's tokens: as they are spelled, or else in lower case, or else 0.
std::vector<std::int32_t> word_rows(const Sentence& sentence, const WordVocabulary& words);

/// Sets the rows of all words.
void look_up_words(const WordVocabulary& words, TaskExamples& examples);

/// The texts of the file, in its order.
class ExampleTexts final : public SentenceSource {
 public:
  /// `examples` have to outlive it.
  explicit ExampleTexts(const TaskExamples& examples) : examples_(examples) {}

  bool next(Sentence& sentence) override;

 private:
  const TaskExamples& examples_;
  std::size_t number_ = 0;
};

/// Examples that were read, group by group: those that share texts are together.
class KeptExamples final : public ExampleSource {
 public:
  /// `examples` have to outlive it.
  explicit KeptExamples(const TaskExamples& examples) : examples_(examples) {}

  bool next(ExampleGroup& group) override;
  const std::string& name() const override { return examples_.name; }

 private:
  const TaskExamples& examples_;
  std::size_t text_ = 0;
  std::size_t record_ = 0;
};

}  // namespace elmo

// Examples in memory, and examples made of text.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/token_vectors.h"
#include "io/labeled/example_file.h"

namespace elmo {

/// Groups of one sentence each. A sentence with tokens is an example without gold data. `sentences`
/// must outlive the source.
std::unique_ptr<ExampleSource> examples_of_sentences(SentenceSource& sentences);

/// Groups of the consecutive sentences of a document, each an example with `gold` unless no
/// sentence has tokens. `sentences` must outlive the source.
std::unique_ptr<ExampleSource> examples_of_documents(SentenceSource& sentences,
                                                     std::shared_ptr<const TaskGold> gold);

/// The examples of one file. Texts without tokens have no example.
struct TaskExamples {
  std::string name;  ///< the file's name
  std::vector<CorpusText> texts;
  std::vector<TaskRecord> records;
  ExampleCounters counters = {};
  std::vector<std::string> notes{};  ///< notes to the user about the file
};

/// Reads all examples into memory. Words are not looked up. Errors: as the file's.
TaskExamples read_examples(ExampleFile& file);

/// Prepares labels for a tagger. Labels of a span scheme are checked (InputError as check_spans)
/// and, if `scheme` is another one, converted to it. IOB1 is converted to `scheme` or else to IOB2,
/// with a note. Only IOB1, IOB2 and BIOES are converted; others are noted, and an InputError if
/// `scheme` is another one. A note says if labels with B-TYPE among them are in no scheme.
void prepare_spans(TaskExamples& examples, std::optional<SpanScheme> scheme, LabelSet& labels);

/// The words of the examples' texts, in lower case, in order of first occurrence. Words that occur
/// once are rare. Words with control characters are left out.
WordVocabulary count_words(const TaskExamples& examples);

/// Returns the rows of a sentence's tokens: the row of the exact spelling, else of the lower-case
/// word, else 0.
std::vector<std::int32_t> word_rows(const Sentence& sentence, const WordVocabulary& words);

/// Sets the rows of all words.
void look_up_words(const WordVocabulary& words, TaskExamples& examples);

/// The texts of examples, in order. `examples` must outlive the source.
std::unique_ptr<SentenceSource> texts_of(ExampleSource& examples);
std::unique_ptr<SentenceSource> texts_of(const TaskExamples& examples);

/// Examples in memory as groups: examples that share texts form a group. `examples` must outlive
/// the source.
std::unique_ptr<ExampleSource> groups_of(const TaskExamples& examples);

}  // namespace elmo

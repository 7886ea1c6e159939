#include "io/labelled/examples.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "io/labelled/texts/labelled_texts.h"
#include "io/labelled/tokens/labelled_sentences.h"
#include "io/text/segment/lower_case.h"

namespace elmo {

namespace {

// Such a word would not stay one in a file with a word a line.
bool has_control(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](char letter) { return static_cast<unsigned char>(letter) < 0x20U; });
}

}  // namespace

std::unique_ptr<LabelledSource> open_examples(const ExampleInput& input,
                                              const ExampleShape& shape) {
  if (shape.token_labels) {
    LabelledInput tokens;
    tokens.file = input.file;
    tokens.column = input.column;
    tokens.stop = input.stop;
    return open_labelled(tokens);
  }
  LabelledTextInput texts;
  texts.file = input.file;
  texts.pairs = shape.texts == 2;
  texts.locale = input.locale;
  texts.stop = input.stop;
  return open_labelled_texts(texts);
}

TaskExamples read_examples(LabelledSource& source, const ExampleShape& shape, LabelSet& labels) {
  TaskExamples examples;
  examples.name = source.name();
  LabelledSentence labelled;
  while (source.next(labelled)) {
    TaskRecord record;
    record.sentence = examples.sentences++;
    if (labelled.labels.empty()) continue;
    for (const std::string& label : labelled.labels) record.labels.push_back(labels.add(label));
    record.text = std::exchange(labelled.sentence, {});
    if (shape.texts == 2) {
      source.next(labelled);
      record.second_sentence = examples.sentences++;
      record.second = std::exchange(labelled.sentence, {});
    }
    examples.records.push_back(std::move(record));
  }
  return examples;
}

void prepare_spans(TaskExamples& examples, std::optional<SpanScheme> scheme, LabelSet& labels) {
  // Of this file's labels, for `labels` may have others too.
  LabelSet own;
  for (const TaskRecord& record : examples.records) {
    for (const std::int32_t label : record.labels) own.add(labels[label]);
  }
  const std::optional<SpanScheme> found = span_scheme(own.names());
  if (!found) return;
  for (TaskRecord& record : examples.records) {
    LabelledSentence labelled{std::move(record.text), labels.names_of(record.labels)};
    check_spans(*found, labelled, examples.name);
    if (scheme && scheme != found) {
      record.labels.clear();
      for (const std::string& label : convert_spans(labelled.labels, *scheme)) {
        record.labels.push_back(labels.add(label));
      }
    }
    record.text = std::move(labelled.sentence);
  }
}

WordVocabulary count_words(const TaskExamples& examples) {
  std::vector<std::string> order;
  std::unordered_map<std::string, std::uint64_t> counts;
  const auto count = [&](const Sentence& sentence) {
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      std::string word = lower_case(sentence.token(token));
      if (has_control(word)) continue;
      if (++counts[word] == 1) order.push_back(std::move(word));
    }
  };
  for (const TaskRecord& record : examples.records) {
    count(record.text);
    count(record.second);
  }
  WordVocabulary words;
  for (const std::string& word : order) words.add(word, counts.at(word) == 1);
  return words;
}

std::vector<std::int32_t> word_rows(const Sentence& sentence, const WordVocabulary& words) {
  std::vector<std::int32_t> rows;
  rows.reserve(sentence.size());
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    std::int32_t row = words.row(sentence.token(token));
    if (row == 0) row = words.row(lower_case(sentence.token(token)));
    rows.push_back(row);
  }
  return rows;
}

void look_up_words(const WordVocabulary& words, TaskExamples& examples) {
  for (TaskRecord& record : examples.records) {
    record.words = word_rows(record.text, words);
    record.second_words = word_rows(record.second, words);
  }
}

bool ExampleSentences::next(Sentence& sentence) {
  if (number_ == examples_.sentences) return false;
  sentence = {};
  if (record_ < examples_.records.size()) {
    const TaskRecord& record = examples_.records[record_];
    if (second_) {
      sentence = record.second;
      second_ = false;
      ++record_;
    } else if (record.sentence == number_) {
      sentence = record.text;
      second_ = record.second.size() > 0;
      if (!second_) ++record_;
    }
  }
  ++number_;
  return true;
}

}  // namespace elmo

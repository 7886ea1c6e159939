#include "io/labeled/examples.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "io/text/segment/characters.h"

namespace elmo {

namespace {

// Such a word cannot be stored in a file with one word per line.
bool has_control(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](char letter) { return static_cast<unsigned char>(letter) < 0x20U; });
}

/// Groups of single sentences, or of the consecutive sentences of a document.
class TextGroups final : public ExampleSource {
 public:
  TextGroups(SentenceSource& sentences, bool documents, std::shared_ptr<const TaskGold> gold)
      : sentences_(sentences), documents_(documents), gold_(std::move(gold)) {}

  bool next(ExampleGroup& group) override {
    if (!has_next_ && !sentences_.next(next_)) return false;
    group = {};
    TaskRecord record{.texts = {}, .gold = gold_};
    const std::shared_ptr<const Document> document = next_.document;
    do {
      if (next_.size() > 0) record.texts.push_back(group.texts.size());
      group.texts.push_back(std::exchange(next_, {}));
      has_next_ = documents_ && sentences_.next(next_);
    } while (has_next_ && next_.document == document);
    if (!record.texts.empty()) group.records.push_back(std::move(record));
    return true;
  }
  const std::string& name() const override { return name_; }

 private:
  SentenceSource& sentences_;
  bool documents_;
  std::shared_ptr<const TaskGold> gold_;
  Sentence next_;          // the first sentence of the next group
  bool has_next_ = false;  // next_ has been read
  std::string name_;
};

class GroupTexts final : public SentenceSource {
 public:
  /// Owns `own`, which may be null.
  explicit GroupTexts(ExampleSource& examples, std::unique_ptr<ExampleSource> own = nullptr)
      : examples_(examples), own_(std::move(own)) {}

  bool next(Sentence& sentence) override {
    if (next_ == group_.texts.size()) {
      group_ = {};
      next_ = 0;
      if (!examples_.next(group_)) return false;
    }
    sentence = std::exchange(group_.texts[next_++], {});
    return true;
  }

 private:
  ExampleSource& examples_;
  std::unique_ptr<ExampleSource> own_;
  ExampleGroup group_;
  std::size_t next_ = 0;  // next text of group_
};

class CorpusGroups final : public ExampleSource {
 public:
  explicit CorpusGroups(const TaskExamples& examples) : examples_(examples) {}

  bool next(ExampleGroup& group) override {
    if (text_ == examples_.texts.size()) return false;
    group = {};
    const std::size_t first = text_;
    std::size_t end = first + 1;
    for (; record_ < examples_.records.size(); ++record_) {
      const TaskRecord& record = examples_.records[record_];
      if (*std::ranges::min_element(record.texts) >= end) break;
      end = std::max(end, *std::ranges::max_element(record.texts) + 1);
      for (std::uint64_t& text : group.records.emplace_back(record).texts) text -= first;
    }
    for (; text_ < end; ++text_) group.texts.push_back(examples_.texts[text_].sentence);
    return true;
  }
  const std::string& name() const override { return examples_.name; }

 private:
  const TaskExamples& examples_;
  std::size_t text_ = 0;
  std::size_t record_ = 0;
};

/// Returns the scheme of a file's distinct labels. If they fit several schemes because they are
/// few, `expected` decides. I-TYPE without a label of an end is IOB1 or IOB2.
std::optional<SpanScheme> scheme_of_file(std::span<const std::string> labels,
                                         const std::optional<SpanScheme>& expected) {
  const std::optional<SpanScheme> found = span_scheme(labels);
  if (!found || !expected || is_usual(*expected)) return found;
  const bool ends = found->marks_ends() || std::ranges::none_of(labels, [](const auto& label) {
                      return label.starts_with('I');
                    });
  return ends && is_spelled_in(*expected, labels) ? expected : found;
}

/// Returns why labels with O and B-TYPE among them are in no scheme; an empty text for others.
std::string why_no_spans(std::span<const std::string> labels) {
  if (std::ranges::find(labels, "O") == labels.end()) return {};
  std::string odd;
  bool begins = false;
  for (const std::string& label : labels) {
    const bool marks = label == "O" || !spans_of(std::span(&label, 1)).empty();
    if (!marks && odd.empty()) odd = label;
    begins = begins || (marks && label.front() == 'B');
  }
  if (!begins) return {};
  std::string note = "labels are not read as spans, because ";
  if (odd.empty()) return note += "they are of several schemes";
  return note.append("'").append(excerpt(odd)).append("' is in no scheme of spans");
}

}  // namespace

std::unique_ptr<ExampleSource> examples_of_sentences(SentenceSource& sentences) {
  return std::make_unique<TextGroups>(sentences, false, nullptr);
}

std::unique_ptr<ExampleSource> examples_of_documents(SentenceSource& sentences,
                                                     std::shared_ptr<const TaskGold> gold) {
  return std::make_unique<TextGroups>(sentences, true, std::move(gold));
}

TaskExamples read_examples(ExampleFile& file) {
  TaskExamples examples;
  examples.name = file.name();
  for (ExampleGroup group; file.next(group);) {
    const std::size_t first = examples.texts.size();
    for (Sentence& text : group.texts) examples.texts.push_back({std::move(text), {}});
    for (TaskRecord& record : group.records) {
      for (std::uint64_t& text : record.texts) text += first;
      examples.records.push_back(std::move(record));
    }
  }
  examples.counters = file.counters();
  if (std::string note = file.note(); !note.empty()) examples.notes.push_back(std::move(note));
  return examples;
}

void prepare_spans(TaskExamples& examples, std::optional<SpanScheme> scheme, LabelSet& labels) {
  // Collects the labels of this file only: `labels` may have others.
  LabelSet own;
  for (const TaskRecord& record : examples.records) {
    for (const std::int32_t label : record.gold->as<LabelGold>().labels) own.add(labels[label]);
  }
  const std::optional<SpanScheme> found = scheme_of_file(own.names(), scheme);
  if (!found) {
    if (std::string note = why_no_spans(own.names()); !note.empty()) {
      examples.notes.push_back(std::move(note));
    }
    return;
  }
  const SpanScheme wanted = scheme.value_or(*found);
  if (wanted != *found && !(is_usual(wanted) && is_usual(*found))) {
    throw InputError(examples.name + ": found labels in " + found->description() + "; expected " +
                     wanted.description() + ", as in the training data; convert the file");
  }
  if (!is_usual(*found)) {
    examples.notes.push_back("labels are read as spans in " + found->description());
  }
  IobSigns signs;
  for (const TaskRecord& record : examples.records) {
    add_signs(labels.names_of(record.gold->as<LabelGold>().labels), signs);
  }
  const bool iob1 = !found->marks_ends() && signs.means_iob1();
  if (iob1) {
    examples.notes.emplace_back(
        "read as IOB1, where I-TYPE begins a span, by its labels; learned and scored as IOB2");
  }
  for (TaskRecord& record : examples.records) {
    const Sentence& sentence = examples.texts[record.texts.front()].sentence;
    const std::vector<std::string> names = labels.names_of(record.gold->as<LabelGold>().labels);
    if (!iob1) check_spans(*found, names, sentence, examples.name);
    if (!iob1 && wanted == found) continue;
    std::vector<std::int32_t> converted;
    for (const std::string& label : convert_spans(names, wanted)) {
      converted.push_back(labels.add(label));
    }
    record.gold = std::make_shared<LabelGold>(std::move(converted));
  }
}

WordVocabulary count_words(const TaskExamples& examples) {
  std::vector<std::string> order;
  std::unordered_map<std::string, std::uint64_t> counts;
  const auto count = [&](const Sentence& sentence) {
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      std::string word = lower_case(sentence.word(token));
      if (has_control(word)) continue;
      if (++counts[word] == 1) order.push_back(std::move(word));
    }
  };
  std::vector<std::uint8_t> counted(examples.texts.size());
  for (const TaskRecord& record : examples.records) {
    for (const std::uint64_t text : record.texts) {
      if (std::exchange(counted[text], 1) == 0) count(examples.texts[text].sentence);
    }
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
    if (row == 0) row = words.row(sentence.word(token));
    if (row == 0) row = words.row(lower_case(sentence.word(token)));
    rows.push_back(row);
  }
  return rows;
}

void look_up_words(const WordVocabulary& words, TaskExamples& examples) {
  for (CorpusText& text : examples.texts) text.words = word_rows(text.sentence, words);
}

std::unique_ptr<SentenceSource> texts_of(ExampleSource& examples) {
  return std::make_unique<GroupTexts>(examples);
}

std::unique_ptr<SentenceSource> texts_of(const TaskExamples& examples) {
  std::unique_ptr<ExampleSource> groups = groups_of(examples);
  ExampleSource& source = *groups;
  return std::make_unique<GroupTexts>(source, std::move(groups));
}

std::unique_ptr<ExampleSource> groups_of(const TaskExamples& examples) {
  return std::make_unique<CorpusGroups>(examples);
}

}  // namespace elmo

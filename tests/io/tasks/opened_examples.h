// Texts of a file of examples with their labels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/tasks/kinds.h"

namespace elmo {

/// The labels of an example; none if they are unknown.
inline std::vector<std::int32_t> labels_of(const TaskRecord& record) {
  return record.gold == nullptr ? std::vector<std::int32_t>() : record.gold->as<LabelGold>().labels;
}

/// A text with the names of its example's labels.
struct LabeledText {
  Sentence sentence;
  std::vector<std::string> labels;
};

/// The texts of a file, in order.
class OpenedExamples {
 public:
  OpenedExamples(const ExampleInput& input, const LabeledKind& kind,
                 std::unique_ptr<ByteSource> bytes = nullptr)
      : file_(open_examples(input, kind, labels_, std::move(bytes))) {}
  OpenedExamples(const OpenedExamples&) = delete;
  OpenedExamples& operator=(const OpenedExamples&) = delete;

  /// Replaces `text` by the next one. Returns false at the end.
  bool next(LabeledText& text) {
    if (next_ == group_.texts.size()) {
      next_ = 0;
      if (!file_->next(group_)) {
        group_ = {};
        return false;
      }
    }
    text.sentence = group_.texts[next_++];
    text.labels.clear();
    for (const TaskRecord& record : group_.records)
      text.labels = labels_.names_of(labels_of(record));
    return true;
  }

  ExampleFile& file() { return *file_; }

 private:
  LabelSet labels_;
  std::unique_ptr<ExampleFile> file_;
  ExampleGroup group_;
  std::size_t next_ = 0;
};

/// Reads all groups of a file "input" with this content.
inline std::vector<ExampleGroup> read_groups(std::string_view kind, std::string_view text,
                                             LabelSet& labels, bool labeled = true) {
  ExampleInput input;
  input.file = "input";
  input.labeled = labeled;
  const auto file =
      open_examples(input, *labeled_kind(kind), labels, std::make_unique<MemoryBytes>(text));
  std::vector<ExampleGroup> groups;
  for (ExampleGroup group; file->next(group);) groups.push_back(std::move(group));
  return groups;
}

/// Returns the error of reading them; empty if there is none.
inline std::string error_of_groups(std::string_view kind, std::string_view text,
                                   bool labeled = true) {
  LabelSet labels;
  try {
    read_groups(kind, text, labels, labeled);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace elmo

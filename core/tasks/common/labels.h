// Labels and their numbers, and the check that a file's labels are those that a model was trained
// on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace elmo {

/// Labels, numbered in the order in which they were added.
class LabelSet {
 public:
  LabelSet() = default;
  explicit LabelSet(const std::vector<std::string>& labels) {
    for (const std::string& label : labels) add(label);
  }

  /// Returns the number of `label`. Adds it if it is new.
  std::int32_t add(const std::string& label) {
    const auto number = static_cast<std::int32_t>(names_.size());
    const auto [found, is_new] = numbers_.try_emplace(label, number);
    if (is_new) names_.push_back(label);
    return found->second;
  }

  std::int64_t size() const { return static_cast<std::int64_t>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  const std::string& operator[](std::int32_t number) const {
    return names_[static_cast<std::size_t>(number)];
  }
  /// The labels with these numbers, in this order.
  std::vector<std::string> names_of(std::span<const std::int32_t> numbers) const {
    std::vector<std::string> names;
    names.reserve(numbers.size());
    for (const std::int32_t number : numbers) names.push_back((*this)[number]);
    return names;
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> numbers_;
};

/// Counts the labels of a file that training saw and those that it did not see. O, which marks
/// tokens outside of spans, is not counted. One thread.
class KnownLabels {
 public:
  void add(const std::string& label, bool known);

  std::uint64_t unknown() const { return unknown_; }
  /// Empty if all labels are known.
  const std::string& first_unknown() const { return first_unknown_; }

  /// InputError, naming `file`, if training never saw most of the labels. They are then from
  /// another column or scheme, and a score would be meaningless.
  void check(const std::string& file) const;

 private:
  std::uint64_t known_ = 0;
  std::uint64_t unknown_ = 0;
  std::string first_unknown_;
};

}  // namespace elmo

// Mapping between labels and their numbers.
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

}  // namespace elmo

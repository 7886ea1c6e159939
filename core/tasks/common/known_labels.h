// Whether the labels of a file are those that a model was trained on.
#pragma once

#include <cstdint>
#include <string>

namespace elmo {

/// Counts the labels of a file that training saw and those that it did not. O says that a token is
/// outside of spans, and counts as neither. One thread.
class KnownLabels {
 public:
  void add(const std::string& label, bool known);

  std::uint64_t unknown() const { return unknown_; }
  /// Empty where there is none.
  const std::string& first_unknown() const { return first_unknown_; }

  /// InputError, naming `file`, where training never saw most of the labels: they are of another
  /// column or scheme, and a score would mean nothing.
  void check(const std::string& file) const;

 private:
  std::uint64_t known_ = 0;
  std::uint64_t unknown_ = 0;
  std::string first_unknown_;
};

}  // namespace elmo

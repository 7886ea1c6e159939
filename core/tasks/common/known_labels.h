// Check that a file's labels are the labels that a model was trained on.
#pragma once

#include <cstdint>
#include <string>

namespace elmo {

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

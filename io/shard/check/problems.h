// Collects the problems of a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace elmo {

/// Collects sentences such as "<file>: <what> is <found>; expected <expected>". One thread.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void expect(bool holds, const std::string& found, const std::string& expected) {
    if (!holds) texts_.push_back(file_ + ": " + found + "; expected " + expected);
  }
  void expect_equal(const std::string& what, const std::string& found,
                    const std::string& expected) {
    expect(found == expected, what + " is " + found, expected);
  }
  void expect_equal(const std::string& what, std::uint64_t found, std::uint64_t expected) {
    expect_equal(what, std::to_string(found), std::to_string(expected));
  }
  /// Adds a complete sentence about an error during the check.
  void add(std::string text) { texts_.push_back(std::move(text)); }

  std::vector<std::string>& texts() { return texts_; }

 private:
  std::string file_;
  std::vector<std::string> texts_;
};

}  // namespace elmo

// Checks that a shard holds what was published.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "io/dtype.h"
#include "io/shard/manifest.h"

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

/// The outcome of reading a whole shard.
struct ShardCheck {
  std::vector<std::string> problems;  ///< with found and expected values; empty if there are none
  std::uint64_t not_finite = 0;       ///< activations that are infinite or NaN
};

/// Called before each published file is read. If it throws, the check ends.
using CheckListener = std::function<void(const ListedFile&)>;

/// Compares the size and checksum of a published file, read as bytes. Returns problems in the form
/// of ShardCheck::problems instead of throwing. Calls may run on different threads.
std::vector<std::string> check_file(const std::filesystem::path& path, const ListedFile& file);

/// Reads all datasets of the shard at `path` and of its tables, which are in the same folder, in
/// bounded memory and compares them with its entry, with the layout, dtype and provenance of `run`,
/// and with each other: checksums, shapes and types, counts, offsets that grow from 0 to N and
/// agree with /sentence, spans, and documents. Problems are returned, not thrown. Calls may run on
/// different threads.
ShardCheck check_shard(const std::filesystem::path& path, const ShardEntry& entry,
                       const Manifest& run);

}  // namespace elmo

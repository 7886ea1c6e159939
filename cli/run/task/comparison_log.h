// The models that a comparison has trained so far, kept so that it can continue.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/task/comparison.h"
#include "io/fingerprint.h"

namespace elmo {

inline constexpr const char* kComparisonLog = "models.jsonl";

/// DIR/models.jsonl, an object a line. One writer at a time.
class ComparisonLog {
 public:
  /// Reads what is there. InputError, naming the line, for what no comparison wrote.
  explicit ComparisonLog(const std::filesystem::path& folder);

  /// The model of that setting, size and seed; nothing where there is none. InputError where it was
  /// trained on other data or in another way, by `fingerprint`.
  std::optional<ComparedModel> find(const std::string& setting, double fraction, std::uint64_t seed,
                                    const RunFingerprint& fingerprint) const;

  /// Keeps one more. SystemError where it cannot be written.
  void add(const ComparedModel& model, const RunFingerprint& fingerprint);

 private:
  struct Entry {
    ComparedModel model;
    std::string fingerprint;  // its checksum
  };

  std::filesystem::path path_;
  std::vector<Entry> entries_;
};

}  // namespace elmo

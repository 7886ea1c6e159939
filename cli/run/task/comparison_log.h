// The log of the models that a comparison has trained, so that it can continue.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/task/comparison.h"
#include "io/fingerprint.h"

namespace elmo {

inline constexpr const char* kComparisonLog = "models.jsonl";

/// DIR/models.jsonl, one object per line. One writer at a time.
class ComparisonLog {
 public:
  /// Reads the log, if any. InputError, naming the line, for a line that no comparison wrote.
  explicit ComparisonLog(const std::filesystem::path& folder);

  /// Returns the model of this setting, size and seed; nothing if there is none. InputError if its
  /// fingerprint differs: it was trained on other data or in another way.
  std::optional<ComparedModel> find(const std::string& setting, double fraction, std::uint64_t seed,
                                    const RunFingerprint& fingerprint) const;

  /// Adds a model to the log. SystemError if it cannot be written.
  void add(const ComparedModel& model, const RunFingerprint& fingerprint);

 private:
  struct Entry {
    ComparedModel model;
    std::string fingerprint;  // checksum of it
  };

  std::filesystem::path path_;
  std::vector<Entry> entries_;
};

}  // namespace elmo

// Common parts of the readers of labeled formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/tasks/common/labeled_sentence.h"
#include "io/text/formats/reading_context.h"

namespace elmo {

/// Maximum length of a label. Labels appear in error messages and tables; no established label set
/// has longer ones.
inline constexpr std::size_t kMaxLabelBytes = 1024;

/// Skips and counts a malformed record if the context's options ask for that. Otherwise throws the
/// error with `where` in front and a remedy at the end; for labeled data, the remedy is `advice`.
inline void leave_out_or_refuse(ReadingContext& context, bool labeled, const std::string& where,
                                const InputError& error, const char* advice = "; fix the record") {
  if (context.options.skip_bad_records) {
    ++context.counters.bad_records;
    return;
  }
  if (labeled) throw InputError(where + error.what() + advice);
  throw InputError(where + error.what(), Remedy::skip_bad_records);
}

/// Reads the labeled sentences of one file. One thread at a time.
class LabeledReader {
 public:
  virtual ~LabeledReader() = default;

  /// Reads the next sentence into `labeled`, which must be empty. Returns false at the end.
  /// InputError, naming file and line, for violations of the format.
  virtual bool next(LabeledSentence& labeled) = 0;

  /// See ExampleCounters.
  virtual std::uint64_t without_gold() const { return 0; }
};

}  // namespace elmo

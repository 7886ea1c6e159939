// What the readers of labeled formats have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/tasks/common/labeled_sentence.h"
#include "io/text/formats/reading_context.h"

namespace elmo {

/// Labels go into error messages and tables; no set of labels in use has longer ones.
inline constexpr std::size_t kMaxLabelBytes = 1024;

/// Counts a malformed record, which is left out, where the context's options ask for that; else
/// throws the error with `where` in front and what would help; of labeled data, `advice`.
inline void leave_out_or_refuse(ReadingContext& context, bool labeled, const std::string& where,
                                const InputError& error, const char* advice = "; fix the record") {
  if (context.options.skip_bad_records) {
    ++context.counters.bad_records;
    return;
  }
  if (labeled) throw InputError(where + error.what() + advice);
  throw InputError(where + error.what(), Remedy::skip_bad_records);
}

/// The labeled sentences of one file. One thread at a time.
class LabeledReader {
 public:
  virtual ~LabeledReader() = default;

  /// Reads the next sentence into `labeled`, which is empty; false at the end. InputError,
  /// naming file and line, for what the format does not allow.
  virtual bool next(LabeledSentence& labeled) = 0;

  /// As ExampleCounters.
  virtual std::uint64_t without_gold() const { return 0; }
};

}  // namespace elmo

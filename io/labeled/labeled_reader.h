// Common parts of the readers of labeled formats.
//
// A labeled file of any format as a source of sentences.
//
// Validated tokens and labels of a labeled record.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "core/tasks/common/spans.h"
#include "io/labeled/example_source.h"
#include "io/labeled/opened_file.h"
#include "io/text/formats/format_reader.h"

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

/// How to open a labeled file.
struct LabeledOpening {
  std::string file;  ///< "-" is standard input
  FormatOptions format;
  const std::atomic<bool>* stop = nullptr;  ///< see ReadState::stop
  bool labeled = true;                      ///< else labels are dropped
  std::string nothing;                      ///< error message for a labeled file without any token

  BytesThrough through = {};
};

/// Reads a file from its first byte.
class LabeledFile final : public LabeledSource {
 public:
  /// Makes a reader of the bytes after a byte order mark.
  using MakeReader =
      std::function<std::unique_ptr<LabeledReader>(ByteWindow& window, ReadingContext& context)>;

  /// `bytes`, if given, are the content of the file, which is then not opened or decompressed.
  /// Errors: as open_file and `make_reader`.
  LabeledFile(const LabeledOpening& opening, std::unique_ptr<ByteSource> bytes,
              const MakeReader& make_reader);

  bool next(Sentence& sentence) override;
  bool next(LabeledSentence& labeled) override;
  const std::string& name() const override { return opening_.file; }
  ExampleCounters counters() const {
    ExampleCounters counters = counters_of(file_);
    counters.without_gold = reader_->without_gold();
    return counters;
  }

 private:
  LabeledOpening opening_;
  OpenedFile file_;
  std::unique_ptr<LabeledReader> reader_;
  bool has_tokens_ = false;
  LabeledSentence kept_;  // buffer of next(Sentence&)
};

/// Appends the tokens to `sentence`. Their spans refer to the tokens joined by spaces, before
/// ill-formed UTF-8 is repaired. InputError for a token that is empty or contains NUL.
void add_listed_tokens(const std::vector<std::string>& tokens, Sentence& sentence);

/// InputError for a label that is empty or longer than kMaxLabelBytes.
void check_label(const std::string& label);

}  // namespace elmo

// A labeled file of any format as a source of sentences.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "io/labeled/common/example_source.h"
#include "io/labeled/common/labeled_reader.h"
#include "io/labeled/common/opened_file.h"
#include "io/text/source/read_ahead.h"

namespace elmo {

/// How to open a labeled file.
struct LabeledOpening {
  std::string file;  ///< "-" is standard input
  FormatOptions format;
  const std::atomic<bool>* stop = nullptr;  ///< see Waiting::stop
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
  bool next_would_wait() override;
  void stop_waiting() override { file_.waiting.stopped = true; }
  const std::string& name() const override { return opening_.file; }
  ExampleCounters counters() const {
    ExampleCounters counters = counters_of(file_);
    counters.without_gold = reader_->without_gold();
    return counters;
  }

 private:
  bool read(LabeledSentence& labeled);

  LabeledOpening opening_;
  OpenedFile file_;
  std::unique_ptr<LabeledReader> reader_;
  ReadAhead<LabeledSentence> ahead_;
  bool has_tokens_ = false;
  LabeledSentence kept_;  // buffer of next(Sentence&)
};

}  // namespace elmo

// A labeled file as a source of sentences, whatever its format.
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

/// How a labeled file is opened.
struct LabeledOpening {
  std::string file;  ///< "-" is standard input
  FormatOptions format;
  const std::atomic<bool>* stop = nullptr;  ///< as Waiting::stop
  bool labeled = true;                      ///< else labels are dropped
  std::string nothing;                      ///< the error of a labeled file without any token

  BytesThrough through = {};
};

/// A file, from its first byte on.
class LabeledFile final : public LabeledSource {
 public:
  /// Makes the reader of the bytes behind a byte order mark.
  using MakeReader =
      std::function<std::unique_ptr<LabeledReader>(ByteWindow& window, ReadingContext& context)>;

  /// `bytes`, if given, are those of the file, which else is opened and decompressed. Errors: as
  /// open_file and `make_reader`.
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
  LabeledSentence kept_;  // what next(Sentence&) reads
};

}  // namespace elmo

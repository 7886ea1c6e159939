// Activations on a stream (a pipe, a file, a terminal): as a JSON object for each sentence, or as
// NumPy arrays; and files that such a sink writes.
#pragma once

#include <fcntl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/activations.h"
#include "core/inference/sentence.h"
#include "io/dtype.h"
#include "io/files/atomic_file.h"
#include "io/files/descriptor.h"
#include "io/outputs/output_format.h"
#include "io/outputs/sinks.h"

namespace elmo {

/// Appends the beginning of a sentence's record: an object with the document's id, the sentence's
/// `number` in the input and its line. The object is left open.
void begin_record(std::string& json, std::string_view document, std::uint64_t number,
                  std::uint64_t line);

/// Appends one member to such an object: the kept tokens or their spans, as a list called `name`.
void append_tokens(std::string& json, const Sentence& sentence, std::string_view name = "tokens");
void append_spans(std::string& json, const Sentence& sentence, std::string_view name = "spans");

/// Calls begin_record and append_tokens.
void append_sentence(std::string& json, const Sentence& sentence, std::uint64_t number);

/// Writes sentences, or the rows of a pooled run, one after the other. Errors: as Stream. One
/// thread at a time.
class StreamSink : public OutputSink {
 public:
  /// `stream` must outlive the sink.
  StreamSink(Stream& stream, const OutputRows& rows) : rows_(rows), stream_(stream) {}

  SinkTraits traits() const final {
    SinkTraits traits = sink_traits(rows_.dtype);
    traits.awaited = true;
    return traits;
  }
  void write(const ActivationBatch& batch) final;
  void finish() final { flush_beyond(0); }

 protected:
  /// Appends a sentence with `values` [T, R, W] or a row with [R, W] to buffer_. What a constructor
  /// appends begins the output, even one without rows.
  virtual void add_sentence(const Sentence& sentence, std::uint64_t number,
                            std::span<const float> values) = 0;
  virtual void add_row(const PooledRow& row, std::span<const float> values) = 0;

  OutputRows rows_;
  std::string buffer_;  ///< unwritten text of a batch

 private:
  void flush_beyond(std::size_t bytes);

  Stream& stream_;
};

/// A stream into a file that is published when it is complete. Errors: as begin_file and the sink.
template <typename Sink>
class PublishedStream final : public OutputSink {
 public:
  /// `more` are arguments of the sink, after its stream and rows.
  template <typename... More>
  PublishedStream(const OutputTarget& target, const OutputRows& rows, const More&... more)
      : file_(begin_file(target.path, target.overwrite)),
        descriptor_(open_descriptor(file_.temporary_path(), O_WRONLY)),
        stream_(descriptor_.get(), target.path),
        sink_(stream_, rows, more...) {}

  std::string warning() const override { return file_.warning(); }
  void write(const ActivationBatch& batch) override { sink_.write(batch); }
  void finish() override {
    sink_.finish();
    file_.publish();
  }

 private:
  AtomicFile file_;
  Descriptor descriptor_;
  Stream stream_;
  Sink sink_;
};

// The two forms, as OutputFormat::open.

/// Writes one line for each sentence:
///
///   {"document": id, "sentence": number in the run, "line": line in the document,
///    "tokens": [string, …], "spans": [[begin, end], …], "vectors": [[[number, …], …], …]}
///
/// with vectors [T, R, W]. If only some tokens are kept, these lists contain the kept tokens, and
/// two more members give their context: "positions": [number, …], counted from 0, and "text", all
/// tokens of the sentence joined by one space. Sentences without a kept token have no line. A
/// pooled run has one line for each row:
///
///   {"document": id, "sentence": number of the first sentence, "line": its line,
///    "text": tokens of the sentence joined by one space, or the document's id,
///    "pooled_tokens": number, "span": [begin, end], "vectors": [[number, …], …]}
///
/// with vectors [R, W]. Numbers have the fewest digits that read back as the same float32; for
/// other formats they are first rounded to the format, in rows of W.
std::unique_ptr<OutputSink> open_jsonl(const OutputTarget& target, const OutputRows& rows);

/// A file as make_npy_files(). A stream gets one array [T, R, W] of float32 or float16 for each
/// sentence, back to back; np.load() reads them in turn from one open file. T counts the kept
/// tokens. If only some tokens are kept, sentences without a kept token have no array; the output
/// does not identify the sentences and tokens. A pooled run has one array [R, W] for each row.
/// Format: NumPy Enhancement Proposal 1, version 1.0.
std::unique_ptr<OutputSink> open_npy(const OutputTarget& target, const OutputRows& rows);

}  // namespace elmo

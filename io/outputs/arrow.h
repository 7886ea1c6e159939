// Activations as a table of Apache Arrow with a row per sentence (arrow.apache.org, "Columnar
// Format"), in its two forms for pipes and files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/activations.h"
#include "io/dtype.h"
#include "io/files/descriptor.h"
#include "io/outputs/output_format.h"
#include "io/provenance.h"

namespace elmo {

/// Returns why Arrow cannot hold the dtype; empty if it can.
std::string not_in_arrow(Dtype dtype);

/// The two forms of a table.
enum class ArrowForm {
  stream,  ///< readable while it is written, for pipes (.arrows)
  file     ///< with an index, for programs that seek (.arrow): a stream between magic words
};

/// Returns the form that the name of a file asks for: `.arrows` is a stream, `.arrow` a file.
/// RequestError for other names.
ArrowForm arrow_form(const std::string& path);

/// The columns of rows that are not yet written: the buffers of a record batch.
struct ArrowColumns {
  std::vector<std::int32_t> document_ends{0};  ///< ends in `documents`
  std::string documents;
  std::vector<std::uint64_t> sentences;
  std::vector<std::uint64_t> lines;
  std::vector<std::int32_t> row_ends{0};  ///< tokens before the end of each row
  std::vector<std::int32_t> token_ends{0};
  std::string tokens;
  std::vector<std::uint64_t> spans;  ///< [tokens, 2]
  std::string values;                ///< [tokens, R · W], encoded
  std::vector<float> scales;         ///< [tokens, R], int8 only

  void add_token(std::string_view token, ByteSpan span);
  void end_row(std::string_view document, std::uint64_t sentence, std::uint64_t line);
  void clear();
  std::size_t bytes() const;
};

/// A record batch of a file: its offset, and the bytes of its metadata and of its body.
using ArrowBlock = std::array<std::int64_t, 3>;

/// Writes a row for each sentence, with its kept tokens:
///
///   document     utf8, the document's id
///   sentence     uint64, number in the run
///   line         uint64, line in the document
///   tokens       list of utf8
///   spans        list of fixed-size list [2] of uint64
///   activations  list of fixed-size list [R · W] of float32, float16 or int8
///   scales       int8 only: list of fixed-size list [R] of float32
///
/// Sentences without a kept token have no row. A row of a pooled run has one token, the text that
/// PooledRow names, with its span. The schema has the metadata `format`, `format_version`, `layers`
/// and `shape` (JSON lists), `dtype`, `boundaries`, and OutputRows::about. Rows are collected to
/// record batches of about 4 MiB; flush() writes them at once. All buffers begin at multiples of 64
/// bytes of the output, so that a mapped file can be used in place. Errors: as Stream. One thread
/// at a time.
class ArrowSink final : public OutputSink {
 public:
  /// Writes the schema. `stream` must outlive the sink. REQUIRES: not_in_arrow(rows.dtype) is
  /// empty.
  ArrowSink(Stream& stream, const OutputRows& rows, ArrowForm form);

  SinkTraits traits() const override {
    SinkTraits traits = sink_traits(rows_.dtype);
    traits.awaited = form_ == ArrowForm::stream;
    return traits;
  }
  void write(const ActivationBatch& batch) override;
  void flush() override;
  void finish() override;

 private:
  void add_values(std::span<const float> values);
  void add_metadata(const std::string& metadata);
  void add_number(std::uint32_t number);
  void add_padding();
  void add_bytes(std::string_view bytes);
  void write_pending();

  Stream& stream_;
  OutputRows rows_;
  Provenance metadata_;
  ArrowForm form_;
  Encoder encoder_;
  ArrowColumns columns_;
  std::int64_t position_ = 0;       // in the output, with pending bytes
  std::string pending_;             // added, but not yet written
  std::vector<ArrowBlock> blocks_;  // of a file
};

/// OutputFormat::open of a table of sentences, and of one of words: a row for each word, most
/// frequent first, with an empty document, its rank as `sentence`, line 0 and an empty span.
std::unique_ptr<OutputSink> open_arrow(const OutputTarget& target, const OutputRows& rows);
std::unique_ptr<OutputSink> open_words_arrow(const OutputTarget& target, const OutputRows& rows);

}  // namespace elmo

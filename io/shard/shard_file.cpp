#include "io/shard/shard_file.h"

#include <span>
#include <stdexcept>

#include "io/files/descriptor.h"

namespace elmo {
namespace {

static_assert(sizeof(ByteSpan) == 2 * sizeof(std::uint64_t), "spans are written as pairs");

}  // namespace

void ShardFile::CheckedColumn::append(std::span<const std::byte> rows) {
  column.append(rows);
  checksum.add(rows);
}

void ShardFile::CheckedColumn::append_string(std::string_view string) {
  column.append(string);
  checksum.add(string);
  checksum.add(std::string_view("\0", 1));
}

ShardFile::ShardFile(const std::filesystem::path& path, const std::filesystem::path& tables,
                     const ShardFormat& format, const Provenance& provenance,
                     std::uint64_t first_sentence, InputHash input)
    : format_(format),
      input_(std::move(input)),
      encoder_(format.dtype, static_cast<std::size_t>(format.layout.width)),
      writer_(path),
      tables_(tables),
      next_sentence_(first_sentence) {
  entry_.first_sentence = first_sentence;
  for (const ShardColumn& column : kShardColumns) {
    if (column.required(format)) add_column(column);
  }
  writer_.write_attribute(shard_format::kFormat, shard_format::kShardFormat);
  writer_.write_attribute(shard_format::kFormatVersion, shard_format::kVersion);
  writer_.write_attribute(shard_format::kLayers, std::span(format.layout.rows));
  for (const auto& [name, value] : provenance) writer_.write_attribute(name, value);
  tables_.write_attribute(shard_format::kFormat, shard_format::kTablesFormat);
  tables_.write_attribute(shard_format::kFormatVersion, shard_format::kVersion);
  of(ColumnId::offsets).append(bytes_of(std::uint64_t{0}));
}

void ShardFile::add_column(const ShardColumn& column) {
  // Without compression, the other columns would be a tenth of a file of int8 activations.
  const bool beside = format_of(format_.dtype).has_scales && column.form != RowForm::activations &&
                      format_.compression == h5::Compression::none;
  const h5::Compression compression = beside ? h5::Compression::gzip : format_.compression;
  columns_[static_cast<std::size_t>(column.id)].emplace(
      CheckedColumn{h5::Column(column.in_tables() ? tables_ : writer_, column.path,
                               column_element(column, format_.dtype),
                               column_row_shape(column, format_.layout), compression),
                    Checksum()});
}

void ShardFile::write(const ActivationBatch& batch) {
  const auto values = static_cast<std::size_t>(format_.layout.values_per_token());
  const std::size_t rows = format_.pooled ? batch.pooled.size() : batch.token_count();
  if (batch.activations.size() != rows * values) {
    throw std::logic_error("activations and rows do not match");
  }
  for (std::size_t s = 0; s < batch.sentences.size(); ++s) {
    const Sentence& sentence = batch.sentences[s];
    const std::uint64_t number = batch.number_of(s);
    if (format_.selected ? number < next_sentence_ : number != next_sentence_) {
      throw std::logic_error("sentences are out of order");
    }
    next_sentence_ = number + 1;
    input_.add(sentence, number, format_.boundaries);
    if (!format_.pooled && !sentence.is_left_out()) write_sentence(sentence, number);
  }
  for (const PooledRow& row : batch.pooled) write_row(row);
  write_values(batch.activations);
}

// Writes in pieces that stay in the cache for conversion, checksum and writing.
void ShardFile::write_values(std::span<const float> values) {
  const auto row = static_cast<std::size_t>(format_.layout.values_per_token());
  const std::size_t piece = std::max<std::size_t>(1, h5::kChunkBytes / sizeof(float) / row) * row;
  for (std::size_t begin = 0; begin < values.size(); begin += piece) {
    const std::size_t count = std::min(piece, values.size() - begin);
    of(ColumnId::activations).append(encoder_.encode(values.subspan(begin, count)));
    if (has(ColumnId::scales)) of(ColumnId::scales).append(std::as_bytes(encoder_.scales()));
  }
}

void ShardFile::write_sentence(const Sentence& sentence, std::uint64_t number) {
  const std::size_t count = sentence.kept_count();
  for (std::size_t kept = 0; kept < count; ++kept) {
    const std::size_t token = sentence.kept_token(kept);
    of(ColumnId::tokens).append_string(sentence.token(token));
    if (!sentence.keeps_all()) of(ColumnId::spans).append(bytes_of(sentence.spans()[token]));
    if (has(ColumnId::position))
      of(ColumnId::position).append(bytes_of(static_cast<std::uint32_t>(token)));
  }
  if (sentence.keeps_all()) of(ColumnId::spans).append(std::as_bytes(std::span(sentence.spans())));
  if (has(ColumnId::sentence_text)) of(ColumnId::sentence_text).append_string(sentence.text());
  write_entry({*sentence.document, number, sentence.line, count});
}

void ShardFile::write_row(const PooledRow& row) {
  of(ColumnId::tokens).append_string(row.text);
  of(ColumnId::spans).append(bytes_of(row.span));
  of(ColumnId::pooled_tokens).append(bytes_of(row.tokens));
  write_entry({*row.document, row.first_sentence, row.line, 1});
}

void ShardFile::write_entry(const Entry& entry) {
  if (last_document_ != entry.document.number) {
    of(ColumnId::document_number).append(bytes_of(entry.document.number));
    of(ColumnId::document_id).append_string(entry.document.id);
    if (has(ColumnId::document_numbered)) {
      of(ColumnId::document_numbered)
          .append(bytes_of(std::uint32_t{entry.document.numbered ? 1U : 0U}));
    }
    last_document_ = entry.document.number;
    ++entry_.documents;
  }
  numbers_.assign(entry.rows, entry.number);
  of(ColumnId::sentence).append(std::as_bytes(std::span(numbers_)));
  documents_.assign(entry.rows, entry.document.number);
  of(ColumnId::document).append(std::as_bytes(std::span(documents_)));
  entry_.tokens += entry.rows;
  of(ColumnId::offsets).append(bytes_of(entry_.tokens));
  of(ColumnId::sentence_document).append(bytes_of(entry.document.number));
  of(ColumnId::sentence_line).append(bytes_of(entry.line));
  if (has(ColumnId::sentence_number)) of(ColumnId::sentence_number).append(bytes_of(entry.number));
  ++entry_.sentences;
}

ShardEntry ShardFile::close(const SegmentEnd& end) {
  if (format_.selected ? end.next_sentence < next_sentence_ : end.next_sentence != next_sentence_) {
    throw std::logic_error("a segment ends with another sentence than the last one written");
  }
  entry_.unlisted_sentences = end.next_sentence - entry_.first_sentence - entry_.sentences;
  entry_.truncated_tokens = end.truncated_tokens;
  entry_.unknown_tokens = end.unknown_tokens;
  entry_.input_hash = input_.hex();
  for (const ShardColumn& column : kShardColumns) {
    if (!has(column.id)) continue;
    of(column.id).column.finish();
    entry_.checksums.emplace(column.path, of(column.id).checksum.hex());
  }
  if (!end.carried_state.empty()) {
    const std::uint64_t count = end.carried_state.size();
    tables_.write(path_of(ColumnId::carried_state), {&count, 1}, end.carried_state);
    Checksum checksum;
    checksum.add(std::as_bytes(std::span(end.carried_state)));
    entry_.checksums.emplace(path_of(ColumnId::carried_state), checksum.hex());
  }
  writer_.write_attribute(shard_format::kFirstSentence, entry_.first_sentence);
  writer_.write_attribute(shard_format::kNextSentence, entry_.next_sentence());
  for (h5::Writer* writer : {&writer_, &tables_}) {
    writer->write_attribute(shard_format::kInputHash, std::string_view(entry_.input_hash));
  }
  writer_.write_attribute(shard_format::kTruncatedTokens, entry_.truncated_tokens);
  writer_.write_attribute(shard_format::kUnknownTokens, entry_.unknown_tokens);
  tables_.close();
  writer_.close();
  return entry_;
}

}  // namespace elmo

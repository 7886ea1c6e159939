#include "io/outputs/arrow.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "core/error.h"
#include "io/json/json.h"
#include "io/outputs/flat_buffer.h"
#include "io/outputs/stream_sinks.h"
#include "io/outputs/word2vec.h"

namespace elmo {
namespace {

constexpr std::size_t kRecordBatchBytes = std::size_t{4} << 20;
constexpr std::size_t kBufferAlignment = 64;
constexpr std::uint32_t kContinuation = 0xFFFFFFFF;  // begins every message, and the end

using namespace std::string_view_literals;
using Object = FlatBuilder::Object;

// From Arrow's Schema.fbs and Message.fbs: indices of fields, of types in unions, and values.
constexpr std::int16_t kMetadataVersion = 4;  // V5
enum TypeId : std::uint8_t { kInt = 2, kFloat = 3, kUtf8 = 5, kList = 12, kFixedSizeList = 16 };
enum HeaderId : std::uint8_t { kSchemaHeader = 1, kRecordBatchHeader = 3 };

std::size_t padding_after(std::size_t bytes) {
  return (kBufferAlignment - bytes % kBufferAlignment) % kBufferAlignment;
}

/// Schema.fbs' Field: name, nullable, type, dictionary, children.
Object field(FlatBuilder& flat, std::string_view name, TypeId id, Object type,
             std::optional<Object> child = std::nullopt) {
  const Object named = flat.text(name);
  const Object children =
      child ? flat.list(std::array{*child}) : flat.list(std::span<const Object>());
  flat.begin_table();
  flat.add(0, named);
  flat.add(1, std::uint8_t{1});
  flat.add(2, static_cast<std::uint8_t>(id));
  flat.add(3, type);
  flat.add(5, children);
  return flat.end_table();
}

constexpr std::string_view kItem = "item";  // the usual name of a list's elements

Object whole_field(FlatBuilder& flat, std::string_view name, std::int32_t bits, bool is_signed) {
  flat.begin_table();
  flat.add(0, bits);
  flat.add(1, static_cast<std::uint8_t>(is_signed));
  return field(flat, name, kInt, flat.end_table());
}

Object utf8_field(FlatBuilder& flat, std::string_view name) {
  flat.begin_table();
  return field(flat, name, kUtf8, flat.end_table());
}

/// `bits`: 16 or 32.
Object float_field(FlatBuilder& flat, std::size_t bits) {
  flat.begin_table();
  flat.add(0, static_cast<std::int16_t>(bits / 32));  // HALF, SINGLE
  return field(flat, kItem, kFloat, flat.end_table());
}

Object list_field(FlatBuilder& flat, std::string_view name, Object child) {
  flat.begin_table();
  return field(flat, name, kList, flat.end_table(), child);
}

/// A list of lists of `size` elements each.
Object rows_field(FlatBuilder& flat, std::string_view name, std::int64_t size, Object child) {
  flat.begin_table();
  flat.add(0, static_cast<std::int32_t>(size));
  return list_field(flat, name, field(flat, kItem, kFixedSizeList, flat.end_table(), child));
}

Object value_field(FlatBuilder& flat, Dtype dtype) {
  const std::size_t bits = 8 * format_of(dtype).bytes;
  if (format_of(dtype).has_scales) {
    return whole_field(flat, kItem, static_cast<std::int32_t>(bits), true);
  }
  return float_field(flat, bits);
}

/// Schema.fbs' Schema: endianness, fields, custom_metadata.
Object schema(FlatBuilder& flat, const ActivationLayout& layout, Dtype dtype,
              const Provenance& metadata) {
  std::vector<Object> fields{
      utf8_field(flat, "document"),
      whole_field(flat, "sentence", 64, false),
      whole_field(flat, "line", 64, false),
      list_field(flat, "tokens", utf8_field(flat, kItem)),
      rows_field(flat, "spans", 2, whole_field(flat, kItem, 64, false)),
      rows_field(flat, "activations", layout.values_per_token(), value_field(flat, dtype))};
  if (format_of(dtype).has_scales) {
    fields.push_back(rows_field(flat, "scales", layout.row_count(), float_field(flat, 32)));
  }
  std::vector<Object> entries;
  for (const auto& [name, value] : metadata) {
    const Object key = flat.text(name);
    const Object text = flat.text(value);
    flat.begin_table();
    flat.add(0, key);
    flat.add(1, text);
    entries.push_back(flat.end_table());
  }
  const Object all_fields = flat.list(fields);
  const Object all_entries = flat.list(entries);
  flat.begin_table();
  flat.add(1, all_fields);
  flat.add(2, all_entries);
  return flat.end_table();
}

/// Message.fbs' Message: version, header, bodyLength.
std::string message(FlatBuilder& flat, HeaderId id, Object header, std::int64_t body) {
  flat.begin_table();
  flat.add(3, body);
  flat.add(2, header);
  flat.add(0, kMetadataVersion);
  flat.add(1, static_cast<std::uint8_t>(id));
  return flat.finish(flat.end_table());
}

/// The buffers of a record batch and the lengths of its arrays, in the order of the schema.
class Body {
 public:
  /// Adds an array without nulls, and so without a validity buffer.
  void add_array(std::size_t length) {
    nodes_.insert(nodes_.end(), {static_cast<std::int64_t>(length), 0});
    add_buffer(std::string_view());
  }
  template <typename T>
  void add_buffer(const T& elements) {
    const std::string_view bytes(reinterpret_cast<const char*>(elements.data()),
                                 elements.size() * sizeof(*elements.data()));
    entries_.insert(entries_.end(), {size_, static_cast<std::int64_t>(bytes.size())});
    buffers_.push_back(bytes);
    size_ += static_cast<std::int64_t>(bytes.size() + padding_after(bytes.size()));
  }

  std::int64_t size() const { return size_; }  ///< including padding
  const std::vector<std::string_view>& buffers() const { return buffers_; }

  /// Message.fbs' RecordBatch: length, nodes, buffers.
  std::string metadata(std::size_t rows) const {
    FlatBuilder flat;
    const Object nodes = flat.structs(nodes_, 2);
    const Object buffers = flat.structs(entries_, 2);
    flat.begin_table();
    flat.add(0, static_cast<std::int64_t>(rows));
    flat.add(1, nodes);
    flat.add(2, buffers);
    return message(flat, kRecordBatchHeader, flat.end_table(), size_);
  }

 private:
  std::vector<std::int64_t> nodes_;    // length, null count
  std::vector<std::int64_t> entries_;  // offset, length
  std::vector<std::string_view> buffers_;
  std::int64_t size_ = 0;
};

Body body_of(const ArrowColumns& columns, const ActivationLayout& layout, bool has_scales) {
  const std::size_t rows = columns.sentences.size();
  const std::size_t tokens = columns.token_ends.size() - 1;
  Body body;
  const auto add_text = [&](std::size_t length, const auto& ends, const std::string& text) {
    body.add_array(length);
    body.add_buffer(ends);
    body.add_buffer(text);
  };
  const auto add_numbers = [&](std::size_t length, const auto& numbers) {
    body.add_array(length);
    body.add_buffer(numbers);
  };
  const auto add_list = [&] { add_numbers(rows, columns.row_ends); };
  const auto add_rows = [&](std::size_t size, const auto& numbers) {
    add_list();
    body.add_array(tokens);
    add_numbers(tokens * size, numbers);
  };
  add_text(rows, columns.document_ends, columns.documents);
  add_numbers(rows, columns.sentences);
  add_numbers(rows, columns.lines);
  add_list();
  add_text(tokens, columns.token_ends, columns.tokens);
  add_rows(2, columns.spans);
  add_rows(static_cast<std::size_t>(layout.values_per_token()), columns.values);
  if (has_scales) add_rows(static_cast<std::size_t>(layout.row_count()), columns.scales);
  return body;
}

/// File.fbs' Footer: version, schema, dictionaries, recordBatches.
std::string file_footer(const ActivationLayout& layout, Dtype dtype, const Provenance& metadata,
                        const std::vector<std::int64_t>& blocks) {
  FlatBuilder flat;
  const Object batches = flat.structs(blocks, 3);
  const Object dictionaries = flat.structs({}, 3);
  const Object described = schema(flat, layout, dtype, metadata);
  flat.begin_table();
  flat.add(1, described);
  flat.add(2, dictionaries);
  flat.add(3, batches);
  flat.add(0, kMetadataVersion);
  return flat.finish(flat.end_table());
}

/// The metadata of the schema.
Provenance schema_metadata(const OutputRows& rows) {
  const ActivationLayout& layout = rows.layout;
  Provenance metadata{{"format", "elmo arrow"},
                      {"format_version", "1"},
                      {"layers", Json(layout.rows).dump()},
                      {"shape", Json(std::vector{layout.row_count(), layout.width}).dump()},
                      {"dtype", std::string(kDtypes.word(rows.dtype))},
                      {"boundaries", rows.boundaries ? "kept" : "none"}};
  for (const auto& component : rows.about) {
    if (!std::ranges::count(metadata, component.first, &Provenance::value_type::first)) {
      metadata.push_back(component);
    }
  }
  return metadata;
}

}  // namespace

std::string not_in_arrow(Dtype dtype) {
  if (dtype != Dtype::bfloat16) return "";
  return "Arrow has no type for bfloat16";
}

ArrowForm arrow_form(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".arrows") return ArrowForm::stream;
  if (extension == ".arrow") return ArrowForm::file;
  throw RequestError(
      path +
      ": the name does not say which format of Arrow; use .arrow for a file or .arrows "
      "for a stream");
}

void ArrowColumns::add_token(std::string_view token, ByteSpan span) {
  tokens += token;
  token_ends.push_back(static_cast<std::int32_t>(tokens.size()));
  spans.insert(spans.end(), {span.begin, span.end});
}

void ArrowColumns::end_row(std::string_view document, std::uint64_t sentence, std::uint64_t line) {
  documents += document;
  document_ends.push_back(static_cast<std::int32_t>(documents.size()));
  sentences.push_back(sentence);
  lines.push_back(line);
  row_ends.push_back(static_cast<std::int32_t>(token_ends.size() - 1));
}

void ArrowColumns::clear() {
  for (auto* ends : {&document_ends, &row_ends, &token_ends}) ends->resize(1);
  for (auto* numbers : {&sentences, &lines, &spans}) numbers->clear();
  for (auto* bytes : {&documents, &tokens, &values}) bytes->clear();
  scales.clear();
}

std::size_t ArrowColumns::bytes() const {
  return documents.size() + tokens.size() + values.size() +
         sizeof(std::uint64_t) * (sentences.size() + lines.size() + spans.size());
}

ArrowSink::ArrowSink(Stream& stream, const OutputRows& rows, ArrowForm form)
    : stream_(stream),
      rows_(rows),
      metadata_(schema_metadata(rows)),
      form_(form),
      encoder_(rows.dtype, static_cast<std::size_t>(rows.layout.width)) {
  if (form_ == ArrowForm::file) add_bytes("ARROW1\0\0"sv);
  FlatBuilder flat;
  const Object root = schema(flat, rows_.layout, rows_.dtype, metadata_);
  add_metadata(message(flat, kSchemaHeader, root, 0));
  write_pending();
}

void ArrowSink::write(const ActivationBatch& batch) {
  const auto row_values = static_cast<std::size_t>(rows_.layout.values_per_token());
  std::span<const float> rest = batch.activations;
  const auto add_row = [&](const Document& document, std::uint64_t sentence, std::uint64_t line,
                           std::size_t tokens) {
    columns_.end_row(document.id, sentence, line);
    add_values(rest.first(tokens * row_values));
    rest = rest.subspan(tokens * row_values);
    if (columns_.bytes() >= kRecordBatchBytes) flush();
  };
  for (const PooledRow& row : batch.pooled) {
    columns_.add_token(row.text, row.span);
    add_row(*row.document, row.first_sentence, row.line, 1);
  }
  if (rows_.kind == RowKind::pooled) return;
  for (std::size_t s = 0; s < batch.sentences.size(); ++s) {
    const Sentence& sentence = batch.sentences[s];
    if (sentence.is_left_out()) continue;
    for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
      const std::size_t token = sentence.kept_token(kept);
      columns_.add_token(sentence.token(token), sentence.spans()[token]);
    }
    add_row(*sentence.document, batch.number_of(s), sentence.line, sentence.kept_count());
  }
}

void ArrowSink::add_values(std::span<const float> values) {
  const std::span<const std::byte> bytes = encoder_.encode(values);
  columns_.values.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::span<const float> scales = encoder_.scales();
  columns_.scales.insert(columns_.scales.end(), scales.begin(), scales.end());
}

void ArrowSink::flush() {
  const std::size_t rows = columns_.sentences.size();
  if (rows == 0) return;
  const Body body = body_of(columns_, rows_.layout, format_of(rows_.dtype).has_scales);
  const std::int64_t begin = position_;
  add_metadata(body.metadata(rows));
  if (form_ == ArrowForm::file) {
    blocks_.insert(blocks_.end(), {begin, position_ - begin, body.size()});
  }
  for (const std::string_view buffer : body.buffers()) {
    add_bytes(buffer);
    add_padding();
  }
  write_pending();
  columns_.clear();
}

void ArrowSink::finish() {
  flush();
  add_number(kContinuation);
  add_number(0);
  if (form_ == ArrowForm::file) {
    const std::string footer = file_footer(rows_.layout, rows_.dtype, metadata_, blocks_);
    add_bytes(footer);
    add_number(static_cast<std::uint32_t>(footer.size()));
    add_bytes("ARROW1"sv);
  }
  write_pending();
}

/// Adds a message's metadata, padded so that its body is aligned.
void ArrowSink::add_metadata(const std::string& metadata) {
  constexpr std::size_t kPrefix = 2 * sizeof(std::uint32_t);
  const std::size_t end = static_cast<std::size_t>(position_) + kPrefix + metadata.size();
  add_number(kContinuation);
  add_number(static_cast<std::uint32_t>(metadata.size() + padding_after(end)));
  add_bytes(metadata);
  add_padding();
}

void ArrowSink::add_number(std::uint32_t number) {
  add_bytes({reinterpret_cast<const char*>(&number), sizeof(number)});
}

void ArrowSink::add_padding() {
  constexpr char kZeros[kBufferAlignment] = {};
  add_bytes({kZeros, padding_after(static_cast<std::size_t>(position_))});
}

/// Writes long bytes as they are, and collects short ones.
void ArrowSink::add_bytes(std::string_view bytes) {
  constexpr std::size_t kLong = std::size_t{64} << 10;
  position_ += static_cast<std::int64_t>(bytes.size());
  if (bytes.size() < kLong) {
    pending_ += bytes;
    return;
  }
  write_pending();
  stream_.write(bytes);
}

void ArrowSink::write_pending() {
  if (!pending_.empty()) stream_.write(pending_);
  pending_.clear();
}

namespace {

/// Sums the vectors of each word, and writes the means at the end.
class ArrowWords final : public OutputSink {
 public:
  ArrowWords(const OutputTarget& target, const OutputRows& rows)
      : averages_(rows.layout),
        min_count_(rows.min_count),
        file_(target, rows, arrow_form(target.path)) {}

  std::string warning() const override { return file_.warning(); }
  std::string summary() const override { return words_summary(written_, averages_); }
  void write(const ActivationBatch& batch) override { averages_.write(batch); }
  void finish() override {
    const auto document = std::make_shared<const Document>();
    std::vector<Sentence> row(1);
    std::vector<float> mean(averages_.dimensions());
    for (const AveragedWord& word : averages_.words(min_count_)) {
      row[0].clear();
      row[0].document = document;
      row[0].add(word.text, {});
      word.mean(mean);
      file_.write({written_++, row, mean});
    }
    file_.finish();
  }

 private:
  WordAverages averages_;
  std::uint64_t min_count_;
  std::uint64_t written_ = 0;  // number of words
  PublishedStream<ArrowSink> file_;
};

}  // namespace

std::unique_ptr<OutputSink> open_arrow(const OutputTarget& target, const OutputRows& rows) {
  if (target.path.empty()) {
    return std::make_unique<ArrowSink>(*target.stream, rows, ArrowForm::stream);
  }
  return std::make_unique<PublishedStream<ArrowSink>>(target, rows, arrow_form(target.path));
}

std::unique_ptr<OutputSink> open_words_arrow(const OutputTarget& target, const OutputRows& rows) {
  return std::make_unique<ArrowWords>(target, rows);
}

}  // namespace elmo

#include "io/outputs/arrow.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <type_traits>

#include "core/error.h"
#include "io/json/json.h"
#include "io/outputs/sinks.h"
#include "io/outputs/stream_sinks.h"

namespace elmo {
namespace {

constexpr std::size_t kRecordBatchBytes = std::size_t{4} << 20;
constexpr std::size_t kBufferAlignment = 64;
constexpr std::uint32_t kContinuation = 0xFFFFFFFF;  // begins every message, and the end

using namespace std::string_view_literals;
using Builder = flatbuffers::FlatBufferBuilder;
using Object = flatbuffers::Offset<void>;

static_assert(std::endian::native == std::endian::little);  // also of the buffers' numbers

// From Arrow's Schema.fbs and Message.fbs: indices of fields, of types in unions, and values.
constexpr std::int16_t kMetadataVersion = 4;  // V5
enum TypeId : std::uint8_t { kInt = 2, kFloat = 3, kUtf8 = 5, kList = 12, kFixedSizeList = 16 };
enum HeaderId : std::uint8_t { kSchemaHeader = 1, kRecordBatchHeader = 3 };

std::size_t padding_after(std::size_t bytes) {
  return (kBufferAlignment - bytes % kBufferAlignment) % kBufferAlignment;
}

/// A field of a table, by its index in the schema: an integer or an object.
template <typename Value>
struct Field {
  std::size_t index;
  Value value;

  void add_to(Builder& flat) const {
    const flatbuffers::voffset_t at =
        flatbuffers::FieldIndexToOffset(static_cast<flatbuffers::voffset_t>(index));
    if constexpr (std::is_integral_v<Value>) {
      flat.AddElement(at, value);
    } else {
      flat.AddOffset(at, value);
    }
  }
};

// Before version 17, clang deduces the type only so.
template <typename Value>
Field(int, Value) -> Field<Value>;

/// Builds a table; a field that is not given has its default.
template <typename... Values>
Object table(Builder& flat, const Field<Values>&... fields) {
  const flatbuffers::uoffset_t start = flat.StartTable();
  (fields.add_to(flat), ...);
  return {flat.EndTable(start)};
}

std::string finished(Builder& flat, Object root) {
  flat.Finish(root);
  return {reinterpret_cast<const char*>(flat.GetBufferPointer()), flat.GetSize()};
}

/// Schema.fbs' Field: name, nullable, type, dictionary, children.
Object column(Builder& flat, std::string_view name, TypeId id, Object type,
              const std::vector<Object>& children = {}) {
  const auto named = flat.CreateString(name.data(), name.size());
  const auto listed = flat.CreateVector(children);
  return table(flat, Field{0, named}, Field{1, std::uint8_t{1}},
               Field{2, static_cast<std::uint8_t>(id)}, Field{3, type}, Field{5, listed});
}

constexpr std::string_view kItem = "item";  // the usual name of a list's elements

Object whole_column(Builder& flat, std::string_view name, std::int32_t bits, bool is_signed) {
  return column(flat, name, kInt,
                table(flat, Field{0, bits}, Field{1, static_cast<std::uint8_t>(is_signed)}));
}

Object utf8_column(Builder& flat, std::string_view name) {
  return column(flat, name, kUtf8, table(flat));
}

/// `bits`: 16 or 32.
Object float_column(Builder& flat, std::size_t bits) {
  const auto precision = static_cast<std::int16_t>(bits / 32);  // HALF, SINGLE
  return column(flat, kItem, kFloat, table(flat, Field{0, precision}));
}

Object list_column(Builder& flat, std::string_view name, Object child) {
  return column(flat, name, kList, table(flat), {child});
}

/// A list of lists of `size` elements each.
Object rows_column(Builder& flat, std::string_view name, std::int64_t size, Object child) {
  const Object type = table(flat, Field{0, static_cast<std::int32_t>(size)});
  return list_column(flat, name, column(flat, kItem, kFixedSizeList, type, {child}));
}

Object value_column(Builder& flat, Dtype dtype) {
  const std::size_t bits = 8 * format_of(dtype).bytes;
  if (format_of(dtype).has_scales) {
    return whole_column(flat, kItem, static_cast<std::int32_t>(bits), true);
  }
  return float_column(flat, bits);
}

/// Schema.fbs' Schema: endianness, fields, custom_metadata.
Object schema(Builder& flat, const ActivationLayout& layout, Dtype dtype,
              const Provenance& metadata) {
  std::vector<Object> columns{
      utf8_column(flat, "document"),
      whole_column(flat, "sentence", 64, false),
      whole_column(flat, "line", 64, false),
      list_column(flat, "tokens", utf8_column(flat, kItem)),
      rows_column(flat, "spans", 2, whole_column(flat, kItem, 64, false)),
      rows_column(flat, "activations", layout.values_per_token(), value_column(flat, dtype))};
  if (format_of(dtype).has_scales) {
    columns.push_back(rows_column(flat, "scales", layout.row_count(), float_column(flat, 32)));
  }
  std::vector<Object> entries;
  for (const auto& [name, value] : metadata) {
    const auto key = flat.CreateString(name);
    const auto text = flat.CreateString(value);
    entries.push_back(table(flat, Field{0, key}, Field{1, text}));
  }
  const auto all_columns = flat.CreateVector(columns);
  const auto all_entries = flat.CreateVector(entries);
  return table(flat, Field{1, all_columns}, Field{2, all_entries});
}

/// Message.fbs' Message: version, header, bodyLength.
std::string message(Builder& flat, HeaderId id, Object header, std::int64_t body) {
  return finished(flat, table(flat, Field{3, body}, Field{2, header}, Field{0, kMetadataVersion},
                              Field{1, static_cast<std::uint8_t>(id)}));
}

/// The buffers of a record batch and the lengths of its arrays, in the order of the schema.
class Body {
 public:
  /// Adds an array without nulls, and so without a validity buffer.
  void add_array(std::size_t length) {
    nodes_.push_back({static_cast<std::int64_t>(length), 0});
    add_buffer(std::string_view());
  }
  template <typename T>
  void add_buffer(const T& elements) {
    const std::string_view bytes(reinterpret_cast<const char*>(elements.data()),
                                 elements.size() * sizeof(*elements.data()));
    entries_.push_back({size_, static_cast<std::int64_t>(bytes.size())});
    buffers_.push_back(bytes);
    size_ += static_cast<std::int64_t>(bytes.size() + padding_after(bytes.size()));
  }

  std::int64_t size() const { return size_; }  ///< including padding
  const std::vector<std::string_view>& buffers() const { return buffers_; }

  /// Message.fbs' RecordBatch: length, nodes, buffers.
  std::string metadata(std::size_t rows) const {
    Builder flat;
    const auto nodes = flat.CreateVectorOfStructs(nodes_);
    const auto buffers = flat.CreateVectorOfStructs(entries_);
    const Object batch =
        table(flat, Field{0, static_cast<std::int64_t>(rows)}, Field{1, nodes}, Field{2, buffers});
    return message(flat, kRecordBatchHeader, batch, size_);
  }

 private:
  std::vector<std::array<std::int64_t, 2>> nodes_;    // length, null count
  std::vector<std::array<std::int64_t, 2>> entries_;  // offset, length
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
                        const std::vector<ArrowBlock>& blocks) {
  Builder flat;
  const auto batches = flat.CreateVectorOfStructs(blocks);
  const auto dictionaries = flat.CreateVectorOfStructs(std::vector<ArrowBlock>());
  const Object described = schema(flat, layout, dtype, metadata);
  return finished(flat, table(flat, Field{1, described}, Field{2, dictionaries}, Field{3, batches},
                              Field{0, kMetadataVersion}));
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
  Builder flat;
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
    blocks_.push_back({begin, position_ - begin, body.size()});
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

#include "io/shard/shard_reader.h"

#include <stdexcept>

#include "core/error.h"
#include "core/kernels/convert.h"
#include "core/text.h"
#include "io/h5/screening.h"
#include "io/text/segment/normalization.h"

namespace elmo {

using namespace shard_format;

namespace {

/// InputError unless the file is of that format, in the version that this program writes.
void require_format(const h5::Reader& file, const std::string& expected) {
  const std::string format = file.string_attribute(kFormat).value_or("absent");
  const std::uint64_t version = file.integer_attribute(kFormatVersion).value_or(0);
  if (format == expected && version == kVersion) return;
  throw InputError(file.name() + ": format is " + format + ", version " + std::to_string(version) +
                   "; expected " + expected + ", version " + std::to_string(kVersion));
}

std::string attribute_text(const h5::Reader& reader, const std::string& name) {
  using namespace shard_format;
  if (name == kLayers) return joined(reader.strings_attribute(name).value(), ", ");
  for (const char* integer :
       {kFormatVersion, kFirstSentence, kNextSentence, kTruncatedTokens, kUnknownTokens}) {
    if (name == integer) return std::to_string(reader.integer_attribute(name).value());
  }
  return reader.string_attribute(name).value();
}

}  // namespace

ShardReader::ShardReader(h5::Reader file, h5::Reader tables, const PartBase& base)
    : file_(std::move(file)), tables_(std::move(tables)), base_(base) {
  require_format(file_, kShardFormat);
  require_format(tables_, kTablesFormat);
  contents_.input_hash = file_.string_attribute(kInputHash).value_or("absent");
  const std::string found = tables_.string_attribute(kInputHash).value_or("absent");
  require(found == contents_.input_hash, "input_hash is " + contents_.input_hash,
          found + ", as in " + tables_.name());

  contents_.layout.rows = file_.strings_attribute(kLayers).value_or(std::vector<std::string>());
  contents_.first_sentence = number_attribute(kFirstSentence);
  const std::uint64_t next_sentence = number_attribute(kNextSentence);
  require(next_sentence >= contents_.first_sentence,
          "sentences " + std::to_string(contents_.first_sentence) + " to " +
              std::to_string(next_sentence),
          "an end after the beginning");
  contents_.sentences = count(ColumnId::sentence_document);
  const std::uint64_t read_sentences = next_sentence - contents_.first_sentence;
  require(
      contents_.sentences == read_sentences ||
          (contents_.sentences < read_sentences && exists(shard_column(ColumnId::sentence_number))),
      std::string(path_of(ColumnId::sentence_document)) + " of " +
          std::to_string(contents_.sentences) + " sentences",
      std::to_string(read_sentences) + ", unless they are listed by number");
  contents_.unlisted_sentences = read_sentences - contents_.sentences;
  contents_.first_sentence += base.sentences;
  contents_.truncated_tokens = number_attribute(kTruncatedTokens);
  contents_.unknown_tokens = number_attribute(kUnknownTokens);
  contents_.tokens = count(ColumnId::tokens);
  contents_.documents = count(ColumnId::document_number);

  const h5::DatasetInfo activations = dataset(shard_column(ColumnId::activations)).info();
  require(activations.shape.size() == 3, "activations " + h5::shape_text(activations.shape),
          "a shape (tokens, rows, width)");
  contents_.layout.width = static_cast<std::int64_t>(activations.shape[2]);
  contents_.dtype = activation_dtype(activations.element).value_or(Dtype::float32);

  // A reader knows the other properties of a format by the datasets that exist.
  ShardFormat known;
  known.dtype = contents_.dtype;
  for (const ShardColumn& column : kShardColumns) {
    if (column.required(known) || exists(column)) {
      columns_[static_cast<std::size_t>(column.id)] = open(column);
    }
  }
}

std::string ShardReader::difference_from(const Provenance& run) const {
  Provenance found;
  for (const auto& [name, value] : run) {
    if (std::optional<std::string> attribute = file_.string_attribute(name)) {
      found.emplace_back(name, *std::move(attribute));
    }
  }
  return provenance_difference(run, found).text();
}

/// InputError naming the file if `holds` is false.
void ShardReader::require(bool holds, const std::string& found, const std::string& expected) const {
  if (!holds) throw InputError(file_.name() + ": " + found + "; expected " + expected);
}

std::uint64_t ShardReader::number_attribute(const char* name) const {
  const auto number = file_.integer_attribute(name);
  require(number.has_value(), std::string("attribute ") + name + " is missing", "a number");
  return *number;
}

/// Returns the number of rows of a dataset.
std::uint64_t ShardReader::count(ColumnId id) const {
  return dataset(shard_column(id)).info().rows();
}

/// Opens the dataset of a column and checks its shape and type.
h5::Dataset ShardReader::open(const ShardColumn& column) const {
  h5::Dataset opened = dataset(column);
  const h5::DatasetInfo& info = opened.info();
  std::vector<std::uint64_t> shape = column_row_shape(column, contents_.layout);
  std::uint64_t rows = info.rows();  // default for columns whose rows are not counted
  switch (column.rows) {
    case RowsOf::token:
      rows = contents_.tokens;
      break;
    case RowsOf::sentence:
      rows = contents_.sentences;
      break;
    case RowsOf::bound:
      rows = contents_.sentences + 1;
      break;
    case RowsOf::document:
      rows = contents_.documents;
      break;
    case RowsOf::run:
      break;
  }
  shape.insert(shape.begin(), rows);
  const h5::Element element = column_element(column, contents_.dtype);
  require(info.element == element && info.shape == shape,
          std::string(column.path) + " is " + info.type + " " + h5::shape_text(info.shape),
          std::string(h5::kElements.word(element)) + " " + h5::shape_text(shape));
  return opened;
}

/// Returns the first row of each of `count` sentences and the end of the last one: `count` + 1
/// ascending numbers.
std::vector<std::uint64_t> ShardReader::read_offsets(std::uint64_t index,
                                                     std::uint64_t count) const {
  std::vector<std::uint64_t> offsets(count + 1);
  of(ColumnId::offsets).read_rows(index, count + 1, std::span(offsets));
  require(std::is_sorted(offsets.begin(), offsets.end()) && offsets.back() <= contents_.tokens,
          "offsets of the sentences from " + std::to_string(contents_.first_sentence + index) +
              " on do not grow",
          "growing ones up to " + std::to_string(contents_.tokens));
  return offsets;
}

TokenRange ShardReader::tokens_of(std::uint64_t number) {
  if (number < sentence_begin() || number >= sentence_end()) {
    throw std::logic_error("a sentence past the end was asked for");
  }
  const std::vector<std::uint64_t> offsets = read_offsets(number - sentence_begin(), 1);
  return {offsets[0], offsets[1]};
}

void ShardReader::read(std::uint64_t number, const BlockLimit& limit, ActivationBlock& block) {
  if (number < sentence_begin() || number >= sentence_end()) {
    throw std::logic_error("a sentence past the end was asked for");
  }
  const std::uint64_t index = number - sentence_begin();
  std::vector<std::uint64_t> offsets = read_offsets(
      index, std::clamp<std::uint64_t>(limit.sentences, 1, contents_.sentences - index));
  while (offsets.size() > 2 && offsets.back() - offsets.front() > limit.tokens) offsets.pop_back();
  const std::uint64_t sentences = offsets.size() - 1;
  const TokenRange range{offsets.front(), offsets.back()};

  const std::vector<std::string> tokens =
      of(ColumnId::tokens).read_strings(range.begin, range.size());
  std::vector<std::uint64_t> spans(2 * range.size());
  of(ColumnId::spans).read_rows(range.begin, range.size(), std::span(spans));
  std::vector<std::uint32_t> documents(sentences);
  of(ColumnId::sentence_document).read_rows(index, sentences, std::span(documents));
  std::vector<std::uint64_t> lines(sentences);
  of(ColumnId::sentence_line).read_rows(index, sentences, std::span(lines));

  block.numbers.clear();
  if (find(ColumnId::sentence_number)) {
    block.numbers.resize(sentences);
    of(ColumnId::sentence_number).read_rows(index, sentences, std::span(block.numbers));
    for (std::uint64_t& listed : block.numbers) listed += base_.sentences;
  }

  block.first_sentence = number;
  block.sentences.resize(sentences);
  for (std::uint64_t s = 0; s < sentences; ++s) {
    Sentence& sentence = block.sentences[s];
    sentence.clear();
    sentence.document = document(documents[s]);
    sentence.line = base_.line(lines[s], documents[s]);
    for (std::uint64_t row = offsets[s]; row < offsets[s + 1]; ++row) {
      const std::uint64_t token = row - range.begin;
      add_token(sentence, tokens[token], {spans[2 * token], spans[2 * token + 1]});
    }
  }
  block.activations.resize(range.size() *
                           static_cast<std::size_t>(contents_.layout.values_per_token()));
  read_activations(range, block.activations);
}

void ShardReader::read_activations(TokenRange tokens, std::span<float> values) {
  if (tokens.begin > tokens.end || tokens.end > contents_.tokens) {
    throw std::logic_error("tokens past the end were asked for");
  }
  if (!format_of(contents_.dtype).has_scales) {
    return of(ColumnId::activations).read_rows(tokens.begin, tokens.size(), values);
  }
  std::vector<std::int8_t> steps(values.size());
  of(ColumnId::activations)
      .read_rows(tokens.begin, tokens.size(), std::as_writable_bytes(std::span(steps)));
  std::vector<float> scales(tokens.size() * contents_.layout.rows.size());
  of(ColumnId::scales).read_rows(tokens.begin, tokens.size(), std::span(scales));
  from_scaled_int8(steps, scales, static_cast<std::size_t>(contents_.layout.width), values);
}

std::vector<std::string> ShardReader::read_tokens(TokenRange tokens) {
  if (tokens.begin > tokens.end || tokens.end > contents_.tokens) {
    throw std::logic_error("tokens past the end were asked for");
  }
  return of(ColumnId::tokens).read_strings(tokens.begin, tokens.size());
}

std::shared_ptr<const Document> ShardReader::document(std::uint32_t number) {
  if (document_ && document_number_in_shard_ == number) return document_;
  const auto number_at = [this](std::uint64_t row) {
    std::uint32_t found = 0;
    of(ColumnId::document_number).read_rows(row, 1, {&found, 1});
    return found;
  };
  // Usually the next one; otherwise a binary search in the ascending numbers.
  std::uint64_t low = document_ ? document_index_ + 1 : 0;
  if (low >= contents_.documents || number_at(low) != number) {
    low = 0;
    for (std::uint64_t high = contents_.documents; low < high;) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (number_at(middle) < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
  }
  require(low < contents_.documents && number_at(low) == number,
          "a sentence is of document " + std::to_string(number), "one that is listed");
  document_index_ = low;
  document_number_in_shard_ = number;
  std::uint32_t numbered = 0;
  if (find(ColumnId::document_numbered))
    of(ColumnId::document_numbered).read_rows(low, 1, {&numbered, 1});
  document_ = std::make_shared<const Document>(base_.joined(
      {number, of(ColumnId::document_id).read_strings(low, 1).front(), numbered != 0}));
  return document_;
}

std::unique_ptr<ShardReader> open_shard(const std::filesystem::path& folder,
                                        const Manifest& manifest, std::size_t number) {
  const ShardEntry& entry = manifest.shards.at(number);
  const std::filesystem::path path = folder / entry.file;
  require_sizes(folder, entry);
  auto reader = std::make_unique<ShardReader>(
      h5::Reader(path), h5::Reader(folder / entry.tables.file), manifest.base_of(number));
  const ShardContents& contents = reader->contents();
  if (contents.first_sentence != entry.first_sentence || contents.sentences != entry.sentences ||
      contents.unlisted_sentences != entry.unlisted_sentences || contents.tokens != entry.tokens ||
      contents.dtype != manifest.dtype || contents.layout.rows != manifest.layout.rows ||
      contents.layout.width != manifest.layout.width) {
    throw InputError(path.string() + " has " + std::to_string(contents.sentences) +
                     " sentences and " + std::to_string(contents.tokens) + " tokens, " +
                     layout_text(contents.layout) + ", " +
                     std::string(kDtypes.word(contents.dtype)) + ", from sentence " +
                     std::to_string(contents.first_sentence) + "; expected what " +
                     shard_format::kManifest + " lists");
  }
  if (contents.input_hash != entry.input_hash) {
    throw InputError(path.string() + ": input_hash is " + contents.input_hash + "; expected " +
                     entry.input_hash + ", as " + shard_format::kManifest + " lists it");
  }
  const std::string difference = reader->difference_from(manifest.provenance);
  if (!difference.empty()) {
    throw InputError(path.string() + " is of another run than " + shard_format::kManifest + ": " +
                     difference);
  }
  return reader;
}

std::optional<ShardDescription> describe_shard(const std::filesystem::path& path) {
  using namespace shard_format;
  // Reads no data, so the size of the file does not matter.
  const h5::Reader reader =
      h5::open_screened(path, h5::ScreeningScope::structure, h5::VirtualDatasets::allowed);
  const std::vector<std::string> names = reader.attributes();
  ShardDescription description;
  if (std::find(names.begin(), names.end(), kFormat) == names.end()) return std::nullopt;
  description.format = reader.string_attribute(kFormat).value();
  if (description.format != kShardFormat && description.format != kTablesFormat &&
      description.format != kIndexFormat) {
    return std::nullopt;
  }
  description.bytes = reader.bytes();
  std::uint64_t bytes = 0;  // several attributes may be stored as one
  for (const std::string& name : names) {
    description.attributes.emplace_back(name, attribute_text(reader, name));
    bytes += description.attributes.back().second.size();
    if (bytes > description.bytes) {
      throw InputError(path.string() + ": its attributes claim more bytes than the file has");
    }
  }
  for (const ShardColumn& column : kShardColumns) {
    if (reader.exists(column.path)) {
      description.datasets.emplace_back(column.path, reader.dataset(column.path).info());
    }
  }
  return description;
}

}  // namespace elmo

#include "io/shard/check.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/h5/dataset.h"
#include "io/shard/format.h"
#include "io/shard/shard_reader.h"

namespace elmo {
namespace {

/// Counts numbers whose exponent bits are all ones.
template <typename Bits>
std::uint64_t count_all_ones(std::span<const std::byte> bytes, std::uint32_t exponent) {
  std::uint64_t count = 0;
  for (std::size_t begin = 0; begin < bytes.size(); begin += sizeof(Bits)) {
    Bits bits = 0;
    std::memcpy(&bits, bytes.data() + begin, sizeof(Bits));
    count += (bits & exponent) == exponent ? 1 : 0;
  }
  return count;
}

static_assert(std::ranges::all_of(kDtypeFormats, [](const DtypeFormat& format) {
  return format.exponent == 0 || format.bytes == 2 || format.bytes == 4;
}));

std::uint64_t count_not_finite(std::span<const std::byte> bytes, Dtype dtype) {
  const DtypeFormat& format = format_of(dtype);
  if (format.exponent == 0) return 0;
  return format.bytes == sizeof(std::uint16_t)
             ? count_all_ones<std::uint16_t>(bytes, format.exponent)
             : count_all_ones<std::uint32_t>(bytes, format.exponent);
}

/// Returns the elements of a one-dimensional dataset one by one and buffers a block of them. T is
/// uint32 or uint64, as stored. Errors: as Dataset. One thread.
template <typename T>
class ElementReader {
 public:
  explicit ElementReader(h5::Dataset dataset) : dataset_(std::move(dataset)) {}

  std::uint64_t size() const { return dataset_.info().rows(); }

  /// The next element. Must not be called more than size() times.
  T next() {
    if (position_ == block_.size()) refill();
    return block_[position_++];
  }

 private:
  static constexpr std::uint64_t kBlock = 65536;

  void refill() {
    block_.resize(std::min(kBlock, size() - read_));
    dataset_.read_rows(read_, block_.size(), std::span<T>(block_));
    read_ += block_.size();
    position_ = 0;
  }

  h5::Dataset dataset_;
  std::uint64_t read_ = 0;
  std::size_t position_ = 0;
  std::vector<T> block_;
};

class Checker {
 public:
  Checker(const std::filesystem::path& path, const ShardEntry& entry, const Manifest& run)
      : path_(path), entry_(entry), run_(run), problems_(path.string()) {}

  ShardCheck run() {
    try {
      reader_.emplace(h5::Reader(path_), h5::Reader(path_.parent_path() / entry_.tables.file));
      if (check_contents()) {
        check_values();
        check_sentences();
        check_spans();
        check_documents();
      }
    } catch (const InputError& error) {
      problems_.add(error.what());
    }
    return {std::move(problems_.texts()), not_finite_};
  }

 private:
  /// Compares the shard's own description with its entry.
  bool check_contents() {
    const std::size_t before = problems_.texts().size();
    const ShardContents& contents = reader_->contents();
    problems_.expect_equal("layout", layout_text(contents.layout), layout_text(run_.layout));
    problems_.expect_equal("dtype", std::string(kDtypes.word(contents.dtype)),
                           std::string(kDtypes.word(run_.dtype)));
    problems_.expect_equal("first sentence", contents.first_sentence, entry_.first_sentence);
    problems_.expect_equal("number of sentences", contents.sentences, entry_.sentences);
    problems_.expect_equal("number of unlisted sentences", contents.unlisted_sentences,
                           entry_.unlisted_sentences);
    problems_.expect_equal("number of tokens", contents.tokens, entry_.tokens);
    problems_.expect_equal("number of documents", contents.documents, entry_.documents);
    problems_.expect_equal("number of truncated tokens", contents.truncated_tokens,
                           entry_.truncated_tokens);
    problems_.expect_equal("number of unknown tokens", contents.unknown_tokens,
                           entry_.unknown_tokens);
    problems_.expect_equal("input hash", contents.input_hash, entry_.input_hash);
    const std::string difference = reader_->difference_from(run_.provenance);
    problems_.expect(difference.empty(), difference, "the attributes of its run");
    return problems_.texts().size() == before;
  }

  /// Compares the checksums of all datasets, and counts activations that are not finite.
  void check_values() {
    for (const auto& [path, expected] : entry_.checksums) {
      const auto column =
          std::ranges::find(kShardColumns, std::string_view(path), &ShardColumn::path);
      if (column == kShardColumns.end()) {
        problems_.expect(false, "dataset " + path + " is listed", "one of a shard's");
        continue;
      }
      const h5::Dataset dataset = reader_->dataset(*column);
      Checksum checksum;
      if (dataset.info().element == h5::Element::string) {
        h5::for_each_string(dataset, [&](const std::string& string) {
          checksum.add({string.c_str(), string.size() + 1});
        });
      } else {
        // If there are scales, they decide.
        std::optional<Dtype> dtype;
        if (column->id == ColumnId::activations) dtype = run_.dtype;
        if (column->id == ColumnId::scales) dtype = Dtype::float32;
        h5::for_each_block(dataset, [&](std::span<const std::byte> bytes) {
          checksum.add(bytes);
          if (dtype) not_finite_ += count_not_finite(bytes, *dtype);
        });
      }
      problems_.expect_equal("checksum of " + path, checksum.hex(), expected);
    }
  }

  /// Checks that /sentences/offsets and /sentence agree, and /sentences/document and /document.
  void check_sentences() {
    ElementReader<std::uint64_t> offsets(dataset(ColumnId::offsets));
    ElementReader<std::uint64_t> numbers(dataset(ColumnId::sentence));
    std::optional<ElementReader<std::uint64_t>> listed;
    if (entry_.lists_sentences()) listed.emplace(dataset(ColumnId::sentence_number));
    ElementReader<std::uint32_t> documents(dataset(ColumnId::sentence_document));
    ElementReader<std::uint32_t> document_of_row(dataset(ColumnId::document));
    std::uint64_t least = entry_.first_sentence;  // smallest valid value of the next number
    std::uint64_t begin = offsets.next();
    problems_.expect_equal("the first of sentences/offsets", begin, 0);
    for (std::uint64_t sentence = 0; sentence < entry_.sentences; ++sentence) {
      const std::uint64_t end = offsets.next();
      const std::uint64_t number = listed ? listed->next() : entry_.first_sentence + sentence;
      if (number < least || number >= entry_.next_sentence()) {
        problems_.expect(false, "a sentence listed as number " + std::to_string(number),
                         std::to_string(least) + " to " +
                             std::to_string(entry_.next_sentence() - 1) + ", in order");
        return;
      }
      least = number + 1;
      if (end < begin || end > entry_.tokens) {
        problems_.expect(false,
                         "sentence " + std::to_string(number) + " has offsets " +
                             std::to_string(begin) + " to " + std::to_string(end),
                         "growing ones up to " + std::to_string(entry_.tokens));
        return;
      }
      const std::uint32_t document = documents.next();
      for (std::uint64_t row = begin; row < end; ++row) {
        if (const std::uint64_t found = numbers.next(); found != number) {
          problems_.expect_equal("sentence of row " + std::to_string(row), found, number);
          return;
        }
        if (const std::uint32_t found = document_of_row.next(); found != document) {
          problems_.expect_equal("document of row " + std::to_string(row), found, document);
          return;
        }
      }
      begin = end;
    }
    problems_.expect_equal("the last of sentences/offsets", begin, entry_.tokens);
  }

  void check_spans() {
    std::uint64_t row = 0;
    std::optional<std::uint64_t> wrong;
    h5::for_each_block(dataset(ColumnId::spans), [&](std::span<const std::byte> bytes) {
      for (std::size_t at = 0; at < bytes.size(); at += sizeof(ByteSpan), ++row) {
        ByteSpan span;
        std::memcpy(&span, bytes.data() + at, sizeof(span));
        if (!wrong && span.end < span.begin) wrong = row;
      }
    });
    problems_.expect(
        !wrong, "the span of row " + std::to_string(wrong.value_or(0)) + " ends before it begins",
        "an end after the beginning");
  }

  /// Checks that sentences refer to the listed documents in order, and that each listed document
  /// has a sentence.
  void check_documents() {
    ElementReader<std::uint32_t> listed(dataset(ColumnId::document_number));
    ElementReader<std::uint32_t> used(dataset(ColumnId::sentence_document));
    std::uint64_t documents = 0;
    std::optional<std::uint32_t> current;
    for (std::uint64_t sentence = 0; sentence < entry_.sentences; ++sentence) {
      const std::uint32_t number = used.next();
      if (number == current) continue;
      const bool known = documents < entry_.documents && listed.next() == number;
      if (!known || (current && number < *current)) {
        problems_.expect(false,
                         "sentence " + std::to_string(entry_.first_sentence + sentence) +
                             " is of document " + std::to_string(number),
                         "documents/number in its order");
        return;
      }
      current = number;
      ++documents;
    }
    problems_.expect_equal("number of documents with sentences", documents, entry_.documents);
  }

  h5::Dataset dataset(ColumnId id) const { return reader_->dataset(shard_column(id)); }

  std::filesystem::path path_;
  const ShardEntry& entry_;
  const Manifest& run_;
  std::optional<ShardReader> reader_;
  Problems problems_;
  std::uint64_t not_finite_ = 0;
};

}  // namespace

std::vector<std::string> check_file(const std::filesystem::path& path, const ListedFile& file) {
  Problems problems(path.string());
  try {
    require_size(path, file);
    problems.expect_equal("checksum of the file", file_checksum(path), file.checksum);
  } catch (const InputError& error) {
    problems.add(error.what());
  }
  return std::move(problems.texts());
}

ShardCheck check_shard(const std::filesystem::path& path, const ShardEntry& entry,
                       const Manifest& run) {
  return Checker(path, entry, run).run();
}

}  // namespace elmo

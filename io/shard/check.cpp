#include "io/shard/check.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <span>

#include "io/files/checksum.h"
#include "io/h5/reader.h"
#include "io/shard/format.h"
#include "io/shard/problems.h"
#include "io/shard/sequence.h"
#include "io/shard/shard_file.h"

namespace elmo {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr std::uint64_t kBlockStrings = 16384;

/// Calls `use` with all bytes of a dataset of numbers, block by block.
void for_each_block(const h5::Dataset& dataset,
                    const std::function<void(std::span<const std::byte>)>& use) {
  const h5::DatasetInfo& info = dataset.info();
  const std::size_t row_bytes = info.row_count() * h5::element_bytes(info.element);
  const std::uint64_t block_rows =
      std::max<std::uint64_t>(1, kBlockBytes / std::max<std::size_t>(1, row_bytes));
  std::vector<std::byte> block;
  for (std::uint64_t row = 0; row < info.rows(); row += block_rows) {
    const std::uint64_t count = std::min(block_rows, info.rows() - row);
    block.resize(count * row_bytes);
    dataset.read_rows(row, count, std::span(block));
    use(block);
  }
}

/// Numbers whose exponent is all ones.
template <typename Bits, Bits kExponent>
std::uint64_t count_all_ones(std::span<const std::byte> bytes) {
  std::uint64_t count = 0;
  for (std::size_t begin = 0; begin < bytes.size(); begin += sizeof(Bits)) {
    Bits bits = 0;
    std::memcpy(&bits, bytes.data() + begin, sizeof(Bits));
    count += (bits & kExponent) == kExponent ? 1 : 0;
  }
  return count;
}

std::uint64_t count_not_finite(std::span<const std::byte> bytes, Dtype dtype) {
  return dtype == Dtype::float32 ? count_all_ones<std::uint32_t, 0x7F80'0000>(bytes)
                                 : count_all_ones<std::uint16_t, 0x7C00>(bytes);
}

class Checker {
 public:
  Checker(const std::filesystem::path& path, const ShardEntry& entry,
          const ActivationLayout& layout, Dtype dtype)
      : path_(path), entry_(entry), layout_(layout), dtype_(dtype), problems_(path.string()) {}

  ShardCheck run() {
    try {
      reader_.emplace(path_);
      check_attributes();
      if (check_shapes()) {
        check_values();
        check_sentences();
        check_spans();
        check_documents();
      }
    } catch (const std::exception& error) {
      problems_.add(error.what());
    }
    return {std::move(problems_.texts()), not_finite_};
  }

 private:
  void check_attributes();
  bool check_shapes();
  void check_values();
  void check_sentences();
  void check_spans();
  void check_documents();

  std::filesystem::path path_;
  const ShardEntry& entry_;
  const ActivationLayout& layout_;
  Dtype dtype_;
  std::optional<h5::Reader> reader_;
  Problems problems_;
  std::uint64_t not_finite_ = 0;
};

void Checker::check_attributes() {
  using namespace shard_format;
  problems_.expect_equal(kFormat, reader_->string_attribute(kFormat).value_or("absent"),
                         kShardFormat);
  const auto integer = [&](const char* name, std::uint64_t expected) {
    const auto found = reader_->integer_attribute(name);
    problems_.expect_equal(std::string("attribute ") + name,
                           found ? std::to_string(*found) : "absent", std::to_string(expected));
  };
  integer(kFormatVersion, kVersion);
  integer(kFirstSentence, entry_.first_sentence);
  integer(kNextSentence, entry_.next_sentence());
  integer(kTruncatedTokens, entry_.truncated_tokens);
  integer(kUnknownTokens, entry_.unknown_tokens);
  problems_.expect_equal(kInputHash, reader_->string_attribute(kInputHash).value_or("absent"),
                         entry_.input_hash);
  problems_.expect(reader_->strings_attribute(kLayers) == layout_.rows,
                   "attribute layers differs from the manifest", "the manifest's");
}

bool Checker::check_shapes() {
  using namespace shard_format;
  const std::size_t before = problems_.texts().size();
  const std::uint64_t tokens = entry_.tokens;
  const std::uint64_t sentences = entry_.sentences;
  const std::uint64_t documents = entry_.documents;
  const auto shape = [&](const char* path, h5::Element element,
                         const std::vector<std::uint64_t>& expected) {
    const h5::DatasetInfo info = reader_->dataset(path).info();
    problems_.expect_equal(path, info.type + " " + h5::shape_text(info.shape),
                           std::string(h5::element_name(element)) + " " + h5::shape_text(expected));
  };
  std::vector<std::uint64_t> activations = activation_row_shape(layout_);
  activations.insert(activations.begin(), tokens);
  shape(kActivations, activation_element(dtype_), activations);
  shape(kTokens, h5::Element::string, {tokens});
  shape(kSpans, h5::Element::uint64, {tokens, 2});
  shape(kSentence, h5::Element::uint64, {tokens});
  shape(kOffsets, h5::Element::uint64, {sentences + 1});
  shape(kSentenceDocument, h5::Element::uint32, {sentences});
  shape(kSentenceLine, h5::Element::uint64, {sentences});
  shape(kDocumentNumber, h5::Element::uint32, {documents});
  shape(kDocumentId, h5::Element::string, {documents});
  return problems_.texts().size() == before;
}

/// Checksums of all datasets, and finite activations.
void Checker::check_values() {
  for (const auto& [path, expected] : entry_.checksums) {
    const h5::Dataset dataset = reader_->dataset(path);
    Checksum checksum;
    if (dataset.info().element == h5::Element::string) {
      for (std::uint64_t row = 0; row < dataset.info().rows(); row += kBlockStrings) {
        const std::uint64_t count = std::min(kBlockStrings, dataset.info().rows() - row);
        for (const std::string& string : dataset.read_strings(row, count)) {
          checksum.add({string.c_str(), string.size() + 1});
        }
      }
    } else {
      const bool activations = path == shard_format::kActivations;
      for_each_block(dataset, [&](std::span<const std::byte> bytes) {
        checksum.add(bytes);
        if (activations) not_finite_ += count_not_finite(bytes, dtype_);
      });
    }
    problems_.expect_equal("checksum of " + path, checksum.hex(), expected);
  }
}

/// /sentences/offsets and /sentence say the same in two ways.
void Checker::check_sentences() {
  Sequence<std::uint64_t> offsets(reader_->dataset(shard_format::kOffsets));
  Sequence<std::uint64_t> numbers(reader_->dataset(shard_format::kSentence));
  std::uint64_t begin = offsets.next();
  problems_.expect_equal("the first of sentences/offsets", begin, 0);
  for (std::uint64_t sentence = 0; sentence < entry_.sentences; ++sentence) {
    const std::uint64_t end = offsets.next();
    const std::uint64_t number = entry_.first_sentence + sentence;
    if (end < begin || end > entry_.tokens) {
      problems_.expect(false,
                       "sentence " + std::to_string(number) + " has offsets " +
                           std::to_string(begin) + " to " + std::to_string(end),
                       "growing ones up to " + std::to_string(entry_.tokens));
      return;
    }
    for (std::uint64_t row = begin; row < end; ++row) {
      if (const std::uint64_t found = numbers.next(); found != number) {
        problems_.expect_equal("sentence of row " + std::to_string(row), found, number);
        return;
      }
    }
    begin = end;
  }
  problems_.expect_equal("the last of sentences/offsets", begin, entry_.tokens);
}

void Checker::check_spans() {
  std::uint64_t row = 0;
  std::optional<std::uint64_t> wrong;
  for_each_block(reader_->dataset(shard_format::kSpans), [&](std::span<const std::byte> bytes) {
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

/// Each sentence's document is the one listed, in order, and each listed one has a sentence.
void Checker::check_documents() {
  Sequence<std::uint32_t> listed(reader_->dataset(shard_format::kDocumentNumber));
  Sequence<std::uint32_t> used(reader_->dataset(shard_format::kSentenceDocument));
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

}  // namespace

std::vector<std::string> check_file(const std::filesystem::path& path, const PublishedFile& file) {
  Problems problems(path.string());
  try {
    problems.expect_equal("size", std::filesystem::file_size(path), file.bytes);
    problems.expect_equal("checksum of the file", file_checksum(path), file.checksum);
  } catch (const std::exception& error) {
    problems.add(error.what());
  }
  return std::move(problems.texts());
}

ShardCheck check_shard(const std::filesystem::path& path, const ShardEntry& entry,
                       const ActivationLayout& layout, Dtype dtype) {
  return Checker(path, entry, layout, dtype).run();
}

}  // namespace elmo

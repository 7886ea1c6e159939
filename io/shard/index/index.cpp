#include "io/shard/index/index.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <span>

#include "io/h5/column.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/shard/check/problems.h"
#include "io/shard/format/columns.h"
#include "io/shard/format/format.h"
#include "io/shard/index/index_columns.h"
#include "io/shard/read/sequence.h"

namespace elmo {
namespace {

/// While a virtual dataset is open, so is every file it was read from: it is opened anew before
/// there are many. Each opening and each reading goes through the list of all shards, so that both
/// are few.
constexpr std::size_t kShardsAtOnce = 16;
constexpr std::uint64_t kRowsAtOnce = std::uint64_t{1} << 17;

/// The columns that the index shows through to the shards: those of tokens and sentences that all
/// shards have.
std::vector<ShardColumn> through_columns(const Manifest& manifest) {
  std::vector<ShardColumn> columns;
  for (const ShardColumn& column : kShardColumns) {
    if (column.rows != RowsOf::token && column.rows != RowsOf::sentence) continue;
    if (is_everywhere(manifest, column)) columns.push_back(column);
  }
  return columns;
}

/// The offsets of all shards as offsets into all rows, one by one.
template <typename Use>
void for_each_offset(const std::filesystem::path& folder, const Manifest& manifest, Use use) {
  std::uint64_t base = 0;
  use(base);
  for (const ShardEntry& shard : manifest.shards) {
    const h5::Reader reader(folder / shard.file);
    Sequence<std::uint64_t> offsets(reader.dataset(shard_format::kOffsets));
    for (std::uint64_t index = 0; index < offsets.size(); ++index) {
      const std::uint64_t offset = offsets.next();
      if (index != 0) use(base + offset);
    }
    base += shard.tokens;
  }
}

/// Every document once: one that goes on in the next shard is listed there, too.
void write_documents(const std::filesystem::path& folder, const Manifest& manifest,
                     h5::Writer& writer) {
  h5::Column numbers(writer, shard_format::kDocumentNumber, h5::Element::uint32, {},
                     h5::Compression::none);
  h5::Column ids(writer, shard_format::kDocumentId, h5::Element::string, {}, h5::Compression::none);
  std::optional<std::uint32_t> last;
  for (const ShardEntry& shard : manifest.shards) {
    const h5::Reader reader(folder / shard.file);
    Sequence<std::uint32_t> shard_numbers(reader.dataset(shard_format::kDocumentNumber));
    const h5::Dataset shard_ids = reader.dataset(shard_format::kDocumentId);
    for (std::uint64_t index = 0; index < shard_numbers.size(); ++index) {
      const std::uint32_t number = shard_numbers.next();
      if (number == last) continue;
      last = number;
      numbers.append(std::as_bytes(std::span(&number, 1)));
      ids.append(shard_ids.read_strings(index, 1).front());
    }
  }
  numbers.finish();
  ids.finish();
}

/// Looks at the first and the last token of every shard through the index and in the shard.
void check_shard_links(const std::filesystem::path& folder, const std::filesystem::path& path,
                       const Manifest& manifest, Problems& problems) {
  std::uint64_t row = 0;
  std::vector<std::uint64_t> found;  // of the shards that are looked at together, if they are short
  for (std::span<const ShardEntry> left = manifest.shards; !left.empty();) {
    std::size_t count = 1;
    std::uint64_t rows = left.front().tokens;
    while (count < std::min(left.size(), kShardsAtOnce) &&
           rows + left[count].tokens <= kRowsAtOnce) {
      rows += left[count++].tokens;
    }
    const h5::Dataset seen =
        h5::Reader(path, h5::VirtualDatasets::allowed).dataset(shard_format::kSentence);
    found.resize(rows <= kRowsAtOnce ? rows : 0);
    if (!found.empty()) seen.read_rows(row, rows, std::span(found));
    const std::uint64_t first = row;
    for (const ShardEntry& shard : left.first(count)) {
      if (shard.tokens == 0) continue;
      const h5::Dataset held = h5::Reader(folder / shard.file).dataset(shard_format::kSentence);
      for (const std::uint64_t at : {row, row + shard.tokens - 1}) {
        std::uint64_t expected = 0;
        std::uint64_t shown = 0;
        held.read_rows(at - row, 1, {&expected, 1});
        if (found.empty()) {
          seen.read_rows(at, 1, {&shown, 1});
        } else {
          shown = found[at - first];
        }
        problems.expect_equal("sentence of row " + std::to_string(at), shown, expected);
      }
      row += shard.tokens;
    }
    left = left.subspan(count);
  }
}

}  // namespace

void write_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                 const Manifest& manifest) {
  h5::Writer writer(path);
  write_index_attributes(writer, manifest);
  for (const ShardColumn& column : through_columns(manifest)) {
    std::vector<h5::VirtualPart> parts;
    for (const ShardEntry& shard : manifest.shards) {
      parts.push_back({shard.file, rows_in(shard, column)});
    }
    writer.write_virtual(column.path, column_element(column, manifest.dtype),
                         column_row_shape(column, manifest.layout), parts);
  }
  h5::Column offsets(writer, shard_format::kOffsets, h5::Element::uint64, {},
                     h5::Compression::none);
  for_each_offset(folder, manifest, [&](std::uint64_t offset) {
    offsets.append(std::as_bytes(std::span(&offset, 1)));
  });
  offsets.finish();
  write_documents(folder, manifest, writer);
  writer.close();
}

std::vector<std::string> check_index(const std::filesystem::path& folder,
                                     const std::filesystem::path& path, const Manifest& manifest) {
  Problems problems(path.string());
  try {
    const h5::Reader reader(path, h5::VirtualDatasets::allowed);
    for (const ShardColumn& column : through_columns(manifest)) {
      check_column(reader, manifest, column, rows_in(manifest, column), problems);
    }
    Sequence<std::uint64_t> offsets(reader.dataset(shard_format::kOffsets));
    problems.expect_equal("length of sentences/offsets", offsets.size(),
                          rows_in(manifest, shard_column(shard_format::kOffsets)) + 1);
    if (!problems.texts().empty()) return std::move(problems.texts());

    std::uint64_t differing = 0;
    for_each_offset(folder, manifest,
                    [&](std::uint64_t offset) { differing += offsets.next() == offset ? 0 : 1; });
    problems.expect_equal("number of offsets that differ from the shards'", differing, 0);

    check_shard_links(folder, path, manifest, problems);
  } catch (const std::exception& error) {
    problems.add(error.what());
  }
  return std::move(problems.texts());
}

}  // namespace elmo

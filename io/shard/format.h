// The shard format, described by io/shard/FORMAT.md: names of files and attributes, and the table
// of a shard's datasets.
//
// A shard is two files: one has a row per token in each dataset, the other, its tables, lists the
// sentences and documents.
// Shards are written, read, checked, indexed and merged by the table of datasets. A new dataset
// needs a line in ColumnId, one in the table, code in ShardFile that appends to it, and code in
// ShardReader that reads it for `elmo mix`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/activations.h"
#include "io/dtype.h"
#include "io/files/atomic_file.h"
#include "io/h5/types.h"
#include "io/text/input/input_range.h"

namespace elmo::shard_format {

inline constexpr std::uint64_t kVersion = 2;  // of the files that are written and read

// Files of a run's folder.
inline constexpr const char* kManifest = "manifest.json";
inline constexpr const char* kIndex = "index.h5";
inline constexpr const char* kLock = kFolderLockFile;

/// "shard-00042.h5"
std::string shard_file_name(std::size_t number);
/// Returns the name of the file with the sentences and documents of a shard: "tables-00042.h5". If
/// `shard` names a folder, the result does too.
std::string tables_file_of(std::string_view shard);
/// True for the names that shard_file_name returns, and for the names of their tables.
bool is_shard_file_name(std::string_view name);
bool is_tables_file_name(std::string_view name);
/// True for all names of files that a run may leave in its folder.
bool is_run_file_name(std::string_view name);

// Attributes of the root group.
inline constexpr const char* kFormat = "format";
inline constexpr const char* kShardFormat = "elmo shard";
inline constexpr const char* kTablesFormat = "elmo tables";
inline constexpr const char* kIndexFormat = "elmo index";
inline constexpr const char* kFormatVersion = "format_version";
inline constexpr const char* kLayers = "layers";
inline constexpr const char* kFirstSentence = "first_sentence";
inline constexpr const char* kNextSentence = "next_sentence";
inline constexpr const char* kInputHash = "input_hash";
inline constexpr const char* kTruncatedTokens = "truncated_tokens";
inline constexpr const char* kUnknownTokens = "unknown_tokens";

// Provenance components of every run; also attributes.
inline constexpr const char* kDtype = "dtype";
inline constexpr const char* kCompression = "compression";
inline constexpr const char* kLayout = "layout";
inline constexpr const char* kBoundaries = "boundaries";

// Components of runs that have rows for some tokens only, or pooled rows.
inline constexpr const char* kSelection = "selection";
inline constexpr const char* kPooling = "pooling";

// Components of parts. All parts of a run use the same sample of the input.
inline constexpr const char* kPart = "part";
inline constexpr const char* kInputSample = "input_sample";

}  // namespace elmo::shard_format

namespace elmo {

/// Properties that all shards of a run share.
struct ShardFormat {
  ActivationLayout layout;
  Dtype dtype = Dtype::float32;
  h5::Compression compression = h5::Compression::none;
  bool boundaries = false;          ///< first and last token of a sentence are `<S>` and `</S>`
  bool selected = false;            ///< sentences mark which of their tokens are kept
  bool pooled = false;              ///< batches have pooled rows
  std::optional<InputPart> part{};  ///< set if the run is a part
  bool numbered_documents = false;  ///< shards record which documents have a line number as id
  /// Settings of the run, for its readers: JSON text of an object that the manifest stores
  /// unchanged and does not interpret.
  std::string options = "{}";
  std::uint64_t shard_bytes = 0;  ///< SinkTraits::segment_bytes
};

/// The datasets of a shard, in order of creation.
enum class ColumnId {
  activations,
  scales,
  tokens,
  spans,
  sentence,
  document,
  offsets,
  sentence_document,
  sentence_line,
  document_number,
  document_id,
  position,
  sentence_text,
  pooled_tokens,
  sentence_number,
  document_numbered,
  carried_state
};

/// The unit of a dataset's rows.
enum class RowsOf {
  token,     ///< a row of /activations; an index maps these rows to the shards
  sentence,  ///< an entry of /sentences
  bound,     ///< the start of each sentence and the end of the last: one more than sentences
  document,  ///< a document of the shard; an index lists each one once
  run        ///< a single value that cannot be counted by rows; not in an index
};

/// The form of one row.
enum class RowForm {
  single,      ///< one element
  pair,        ///< two elements
  vectors,     ///< [R], one for each vector of the run's layout
  activations  ///< [R, W]
};

/// The quantity that the numbers of a dataset count. Shards number within their run; when runs are
/// merged, the totals of the preceding runs are added.
enum class Counts { nothing, tokens, sentences, lines, documents };

/// Rules for ShardColumn::required.
namespace runs {
constexpr bool all(const ShardFormat&) { return true; }
constexpr bool scaled(const ShardFormat& format) { return format_of(format.dtype).has_scales; }
constexpr bool of_selected_tokens(const ShardFormat& format) {
  return format.selected && !format.pooled;
}
constexpr bool pooled(const ShardFormat& format) { return format.pooled; }
/// Their sentences are listed by number.
constexpr bool listed(const ShardFormat& format) { return format.selected || format.pooled; }
constexpr bool of_numbered_documents(const ShardFormat& format) {
  return format.numbered_documents;
}
/// For a dataset that the writer adds where a shard ends with the value.
constexpr bool none(const ShardFormat&) { return false; }
}  // namespace runs

/// A dataset of a shard or of its tables.
struct ShardColumn {
  ColumnId id;
  const char* path;
  RowsOf rows;
  RowForm form;
  h5::Element element;  ///< type of the elements; /activations has the run's dtype instead
  Counts counts;
  /// True if every new shard of a run of this format has the dataset.
  bool (*required)(const ShardFormat& format);

  /// True if all shards have it.
  constexpr bool always() const { return required == runs::all; }
  /// True if it belongs to the tables of a shard.
  bool in_tables() const { return rows != RowsOf::token; }
};

inline constexpr std::array kShardColumns = {
    ShardColumn{ColumnId::activations, "activations", RowsOf::token, RowForm::activations,
                h5::Element::float32, Counts::nothing, runs::all},
    ShardColumn{ColumnId::scales, "scales", RowsOf::token, RowForm::vectors, h5::Element::float32,
                Counts::nothing, runs::scaled},
    ShardColumn{ColumnId::tokens, "tokens", RowsOf::token, RowForm::single, h5::Element::string,
                Counts::nothing, runs::all},
    ShardColumn{ColumnId::spans, "spans", RowsOf::token, RowForm::pair, h5::Element::uint64,
                Counts::nothing, runs::all},
    ShardColumn{ColumnId::sentence, "sentence", RowsOf::token, RowForm::single, h5::Element::uint64,
                Counts::sentences, runs::all},
    ShardColumn{ColumnId::document, "document", RowsOf::token, RowForm::single, h5::Element::uint32,
                Counts::documents, runs::all},
    ShardColumn{ColumnId::offsets, "sentences/offsets", RowsOf::bound, RowForm::single,
                h5::Element::uint64, Counts::tokens, runs::all},
    ShardColumn{ColumnId::sentence_document, "sentences/document", RowsOf::sentence,
                RowForm::single, h5::Element::uint32, Counts::documents, runs::all},
    ShardColumn{ColumnId::sentence_line, "sentences/line", RowsOf::sentence, RowForm::single,
                h5::Element::uint64, Counts::lines, runs::all},
    ShardColumn{ColumnId::document_number, "documents/number", RowsOf::document, RowForm::single,
                h5::Element::uint32, Counts::documents, runs::all},
    ShardColumn{ColumnId::document_id, "documents/id", RowsOf::document, RowForm::single,
                h5::Element::string, Counts::nothing, runs::all},
    ShardColumn{ColumnId::position, "position", RowsOf::token, RowForm::single, h5::Element::uint32,
                Counts::nothing, runs::of_selected_tokens},
    ShardColumn{ColumnId::sentence_text, "sentences/text", RowsOf::sentence, RowForm::single,
                h5::Element::string, Counts::nothing, runs::of_selected_tokens},
    ShardColumn{ColumnId::pooled_tokens, "pooled_tokens", RowsOf::token, RowForm::single,
                h5::Element::uint64, Counts::nothing, runs::pooled},
    ShardColumn{ColumnId::sentence_number, "sentences/number", RowsOf::sentence, RowForm::single,
                h5::Element::uint64, Counts::sentences, runs::listed},
    ShardColumn{ColumnId::document_numbered, "documents/numbered", RowsOf::document,
                RowForm::single, h5::Element::uint32, Counts::nothing, runs::of_numbered_documents},
    ShardColumn{ColumnId::carried_state, "carried_state", RowsOf::run, RowForm::single,
                h5::Element::float32, Counts::nothing, runs::none},
};
constexpr const ShardColumn& shard_column(ColumnId id) {
  return kShardColumns[static_cast<std::size_t>(id)];
}
static_assert(std::ranges::all_of(kShardColumns, [](const ShardColumn& column) {
  return &shard_column(column.id) == &column;
}));
constexpr const char* path_of(ColumnId id) { return shard_column(id).path; }

/// Returns the element of activations of a dtype, and the reverse; nothing if activations never
/// have that element.
h5::Element activation_element(Dtype dtype);
std::optional<Dtype> activation_dtype(h5::Element element);

/// Returns the element of the column in a run of that dtype.
h5::Element column_element(const ShardColumn& column, Dtype dtype);

/// Returns the shape of one row of the column; empty for single elements.
std::vector<std::uint64_t> column_row_shape(const ShardColumn& column,
                                            const ActivationLayout& layout);

}  // namespace elmo

// The one table of a shard's datasets, by which shards are written, read, checked, indexed and
// merged; io/shard/FORMAT.md describes them. A new dataset is a line in ColumnId, one in the table,
// and what ShardFile appends to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/sink.h"
#include "io/dtype.h"
#include "io/h5/compression.h"
#include "io/h5/types.h"
#include "io/text/source/input_part.h"

namespace elmo {

/// What all shards of a run have in common.
struct ShardFormat {
  ActivationLayout layout;
  Dtype dtype = Dtype::float32;
  h5::Compression compression = h5::Compression::none;
  bool boundaries = false;          ///< first and last token of a sentence are `<S>` and `</S>`
  bool selected = false;            ///< sentences mark which of their tokens are kept
  bool pooled = false;              ///< batches have pooled rows
  std::optional<InputPart> part{};  ///< which the run is
  bool numbered_documents = false;  ///< shards record which documents have their line for an id
  /// How the run was made, for its readers: the text of a JSON object that the manifest keeps as it
  /// is and nothing here looks at; empty: none, as in runs of version 0.6.
  std::string options{};
};

/// The datasets of a shard, in the order in which they are made.
enum class ColumnId {
  activations,
  scales,
  tokens,
  spans,
  sentence,
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

/// What a dataset has a row for.
enum class RowsOf {
  token,     ///< a row of /activations
  sentence,  ///< an entry of /sentences; an index shows these two through to the shards
  bound,     ///< where a sentence begins or the last one ends: one more than sentences
  document,  ///< a document of the shard; an index lists each one once
  run        ///< nothing that can be counted: one value as a whole, which no index has
};

/// What one row is.
enum class RowForm {
  single,      ///< one element
  pair,        ///< two
  vectors,     ///< [R], one for each vector of the run's layout
  activations  ///< [R, W]
};

/// What the numbers of a dataset count. Shards number within their run; where runs are joined to
/// one, so much is added as those before have.
enum class Counts { nothing, tokens, sentences, lines, documents };

/// Which runs' shards have a dataset.
enum class RequiredIn {
  all,
  scaled,    ///< those of int8
  chosen,    ///< those of chosen tokens that are not pooled
  pooled,    ///< those of pooled rows
  listed,    ///< those of either: sentences are listed by number
  numbered,  ///< ShardFormat::numbered_documents
  carried    ///< those that carry a state: written where a shard ends with one
};

/// A dataset of a shard.
struct ShardColumn {
  ColumnId id;
  const char* path;
  RowsOf rows;
  RowForm form;
  h5::Element element;  ///< of /activations that of the run's dtype instead
  Counts counts;
  RequiredIn required;

  bool always() const { return required == RequiredIn::all; }
};

inline constexpr std::array kShardColumns = {
    ShardColumn{ColumnId::activations, "activations", RowsOf::token, RowForm::activations,
                h5::Element::float32, Counts::nothing, RequiredIn::all},
    ShardColumn{ColumnId::scales, "scales", RowsOf::token, RowForm::vectors, h5::Element::float32,
                Counts::nothing, RequiredIn::scaled},
    ShardColumn{ColumnId::tokens, "tokens", RowsOf::token, RowForm::single, h5::Element::string,
                Counts::nothing, RequiredIn::all},
    ShardColumn{ColumnId::spans, "spans", RowsOf::token, RowForm::pair, h5::Element::uint64,
                Counts::nothing, RequiredIn::all},
    ShardColumn{ColumnId::sentence, "sentence", RowsOf::token, RowForm::single, h5::Element::uint64,
                Counts::sentences, RequiredIn::all},
    ShardColumn{ColumnId::offsets, "sentences/offsets", RowsOf::bound, RowForm::single,
                h5::Element::uint64, Counts::tokens, RequiredIn::all},
    ShardColumn{ColumnId::sentence_document, "sentences/document", RowsOf::sentence,
                RowForm::single, h5::Element::uint32, Counts::documents, RequiredIn::all},
    ShardColumn{ColumnId::sentence_line, "sentences/line", RowsOf::sentence, RowForm::single,
                h5::Element::uint64, Counts::lines, RequiredIn::all},
    ShardColumn{ColumnId::document_number, "documents/number", RowsOf::document, RowForm::single,
                h5::Element::uint32, Counts::documents, RequiredIn::all},
    ShardColumn{ColumnId::document_id, "documents/id", RowsOf::document, RowForm::single,
                h5::Element::string, Counts::nothing, RequiredIn::all},
    ShardColumn{ColumnId::position, "position", RowsOf::token, RowForm::single, h5::Element::uint32,
                Counts::nothing, RequiredIn::chosen},
    ShardColumn{ColumnId::sentence_text, "sentences/text", RowsOf::sentence, RowForm::single,
                h5::Element::string, Counts::nothing, RequiredIn::chosen},
    ShardColumn{ColumnId::pooled_tokens, "pooled_tokens", RowsOf::token, RowForm::single,
                h5::Element::uint64, Counts::nothing, RequiredIn::pooled},
    ShardColumn{ColumnId::sentence_number, "sentences/number", RowsOf::sentence, RowForm::single,
                h5::Element::uint64, Counts::sentences, RequiredIn::listed},
    ShardColumn{ColumnId::document_numbered, "documents/numbered", RowsOf::document,
                RowForm::single, h5::Element::uint32, Counts::nothing, RequiredIn::numbered},
    ShardColumn{ColumnId::carried_state, "carried_state", RowsOf::run, RowForm::single,
                h5::Element::float32, Counts::nothing, RequiredIn::carried},
};
static_assert(
    [] {
      for (std::size_t index = 0; index < kShardColumns.size(); ++index) {
        if (static_cast<std::size_t>(kShardColumns[index].id) != index) return false;
      }
      return true;
    }(),
    "the table has the order of ColumnId");

constexpr const ShardColumn& shard_column(ColumnId id) {
  return kShardColumns[static_cast<std::size_t>(id)];
}
constexpr const char* path_of(ColumnId id) { return shard_column(id).path; }

/// Whether every shard of such a run has the column.
bool is_required(const ShardColumn& column, const ShardFormat& format);

/// What activations of that dtype are, and back; nothing for what no activations are.
h5::Element activation_element(Dtype dtype);
std::optional<Dtype> activation_dtype(h5::Element element);

/// What its elements are in a run of that dtype.
h5::Element column_element(const ShardColumn& column, Dtype dtype);

/// Shape of one of its rows, empty for single elements.
std::vector<std::uint64_t> column_row_shape(const ShardColumn& column,
                                            const ActivationLayout& layout);

}  // namespace elmo

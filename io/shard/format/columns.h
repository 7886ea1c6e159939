// The one table of a shard's datasets; FORMAT.md, beside this file, says what they hold.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/inference/sink.h"
#include "io/dtype.h"
#include "io/h5/types.h"
#include "io/shard/format/format.h"

namespace elmo {

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

/// A dataset of a shard.
struct ShardColumn {
  const char* path;
  RowsOf rows;
  RowForm form;
  h5::Element element;  ///< of /activations that of the run's dtype instead
  Counts counts;
  bool always;  ///< else only shards of some runs have it: those whose entry lists its checksum
};

/// In the order in which a shard's writer makes them.
inline constexpr std::array kShardColumns = {
    ShardColumn{shard_format::kActivations, RowsOf::token, RowForm::activations,
                h5::Element::float32, Counts::nothing, true},
    ShardColumn{shard_format::kScales, RowsOf::token, RowForm::vectors, h5::Element::float32,
                Counts::nothing, false},
    ShardColumn{shard_format::kTokens, RowsOf::token, RowForm::single, h5::Element::string,
                Counts::nothing, true},
    ShardColumn{shard_format::kSpans, RowsOf::token, RowForm::pair, h5::Element::uint64,
                Counts::nothing, true},
    ShardColumn{shard_format::kSentence, RowsOf::token, RowForm::single, h5::Element::uint64,
                Counts::sentences, true},
    ShardColumn{shard_format::kPosition, RowsOf::token, RowForm::single, h5::Element::uint32,
                Counts::nothing, false},
    ShardColumn{shard_format::kPooledTokens, RowsOf::token, RowForm::single, h5::Element::uint64,
                Counts::nothing, false},
    ShardColumn{shard_format::kOffsets, RowsOf::bound, RowForm::single, h5::Element::uint64,
                Counts::tokens, true},
    ShardColumn{shard_format::kSentenceDocument, RowsOf::sentence, RowForm::single,
                h5::Element::uint32, Counts::documents, true},
    ShardColumn{shard_format::kSentenceLine, RowsOf::sentence, RowForm::single, h5::Element::uint64,
                Counts::lines, true},
    ShardColumn{shard_format::kSentenceNumber, RowsOf::sentence, RowForm::single,
                h5::Element::uint64, Counts::sentences, false},
    ShardColumn{shard_format::kSentenceText, RowsOf::sentence, RowForm::single, h5::Element::string,
                Counts::nothing, false},
    ShardColumn{shard_format::kDocumentNumber, RowsOf::document, RowForm::single,
                h5::Element::uint32, Counts::documents, true},
    ShardColumn{shard_format::kDocumentId, RowsOf::document, RowForm::single, h5::Element::string,
                Counts::nothing, true},
    ShardColumn{shard_format::kDocumentNumbered, RowsOf::document, RowForm::single,
                h5::Element::uint32, Counts::nothing, false},
    ShardColumn{shard_format::kCarriedState, RowsOf::run, RowForm::single, h5::Element::float32,
                Counts::nothing, false},
};

/// The column of that path; std::logic_error where there is none.
const ShardColumn& shard_column(std::string_view path);

/// What activations of that dtype are, and back; nothing for what no activations are.
h5::Element activation_element(Dtype dtype);
std::optional<Dtype> activation_dtype(h5::Element element);

/// What its elements are in a run of that dtype.
h5::Element column_element(const ShardColumn& column, Dtype dtype);

/// Shape of one of its rows, empty for single elements.
std::vector<std::uint64_t> column_row_shape(const ShardColumn& column,
                                            const ActivationLayout& layout);

}  // namespace elmo

// One row for a sentence or a document instead of one for each of its tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/enum_table.h"
#include "core/inference/sink.h"

namespace elmo {

/// What becomes of the vectors of a unit's tokens; of one without tokens, zeros.
enum class PoolKind {
  mean,       ///< summed in double in the order of the tokens, rounded once
  max,        ///< the largest number of each column
  first_last  ///< those of the first and the last token side by side: 2W numbers. As flair pools
              ///< subtokens ("first_last") and AllenNLP spans (EndpointSpanExtractor, "x,y"; Lee et
              ///< al. 2017)
};

inline constexpr auto kPoolKinds = enum_table<PoolKind>(
    {{"mean", PoolKind::mean}, {"max", PoolKind::max}, {"first-last", PoolKind::first_last}});

enum class PoolUnit { sentence, document };

inline constexpr auto kPoolUnits =
    enum_table<PoolUnit>({{"sentence", PoolUnit::sentence}, {"document", PoolUnit::document}});

struct PoolOptions {
  PoolKind kind = PoolKind::mean;
  PoolUnit unit = PoolUnit::sentence;
};

/// What is pooled from rows of this layout: W is doubled where two tokens stand side by side.
ActivationLayout pooled_layout(ActivationLayout layout, PoolKind kind);

/// Pools batch by batch; what a unit becomes does not depend on where batches end. Only kept tokens
/// count, and a unit of which nothing is kept has no row. Memory: a row, and those not taken yet.
/// One thread.
class Pooling {
 public:
  /// `layout` is that of the tokens.
  Pooling(const ActivationLayout& layout, PoolOptions options);

  /// Adds the tokens of a batch, after those of the batches before.
  void add(const ActivationBatch& batch);

  /// What is added from now on is of another unit: the one in hand gets its row.
  void end_unit();

  /// The units that have ended since clear(), and their vectors [rows, R, W].
  std::span<const PooledRow> rows() const { return rows_; }
  std::span<const float> values() const { return values_; }
  void clear();

 private:
  void begin_unit(const Sentence& sentence, std::uint64_t number);
  void add_token(const float* values);

  PoolOptions options_;
  std::size_t row_count_;  // R
  std::size_t width_;      // W of the tokens
  std::optional<PooledRow> unit_;
  std::vector<double> sums_;  // [R · W]; of max, the largest so far
  std::vector<float> first_;  // [R · W]
  std::vector<float> last_;   // [R · W]
  std::vector<PooledRow> rows_;
  std::vector<float> values_;
};

}  // namespace elmo

// Pools token vectors into one row per sentence or document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/enum_table.h"
#include "core/inference/sink.h"

namespace elmo {

/// How the vectors of a unit's tokens are pooled. A unit without tokens becomes zeros.
enum class PoolKind {
  mean,       ///< the mean, summed in double in token order and rounded once
  max,        ///< the maximum of each column
  first_last  ///< the first and the last token's vectors, concatenated: 2W values. As flair pools
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

/// Returns the layout after pooling rows of `layout`: W is doubled for first_last.
ActivationLayout pooled_layout(ActivationLayout layout, PoolKind kind);

/// Pools batch by batch. The result does not depend on where batches end. Only kept tokens count,
/// and a unit that keeps nothing has no row. Memory: one row, and the rows since clear(). One
/// thread.
class Pooling {
 public:
  /// `layout`: of the tokens' activations.
  Pooling(const ActivationLayout& layout, PoolOptions options);

  /// Adds the tokens of the next batch.
  void add(const ActivationBatch& batch);

  /// Ends the current unit and adds its row. Later tokens belong to another unit.
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
  std::vector<double> sums_;  // [R · W]; for max, the maximum so far
  std::vector<float> first_;  // [R · W]
  std::vector<float> last_;   // [R · W]
  std::vector<PooledRow> rows_;
  std::vector<float> values_;
};

}  // namespace elmo

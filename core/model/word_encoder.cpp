#include "core/model/word_encoder.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace elmo {

WordEncoder::WordEncoder(const ModelOptions& options, Vocabulary vocabulary,
                         StoredParameters& parameters, Precision precision)
    : table_(options, std::move(vocabulary), parameters),
      width_(static_cast<std::size_t>(options.lstm.projection_dim)),
      begin_sentence_(width_),
      end_sentence_(width_) {
  if (const auto& index = parameters.index().word_projection) {
    projection_.emplace(*index, parameters, precision);
  }
  EncoderWorkspace workspace;
  encode_rows(std::array{table_.begin_sentence()}, begin_sentence_.data(), workspace);
  encode_rows(std::array{table_.end_sentence()}, end_sentence_.data(), workspace);
}

void WordEncoder::encode(std::span<const std::string_view> tokens, float* to,
                         EncoderWorkspace& workspace) const {
  std::vector<std::span<const float>> rows;
  for (const std::string_view token : tokens) rows.push_back(table_.row(token));
  encode_rows(rows, to, workspace);
}

void WordEncoder::encode_rows(std::span<const std::span<const float>> rows, float* to,
                              EncoderWorkspace& ws) const {
  if (!projection_) {
    for (const std::span<const float> row : rows) to = std::copy(row.begin(), row.end(), to);
    return;
  }
  // In groups, because products are prepared for a few sizes only.
  constexpr std::size_t kGroupRows = 256;
  for (std::size_t first = 0; first < rows.size(); first += kGroupRows) {
    const std::span<const std::span<const float>> group =
        rows.subspan(first, std::min(kGroupRows, rows.size() - first));
    const auto padded = GemmWorkspace::padded_rows(static_cast<std::int64_t>(group.size()));
    grow(ws.features, padded * table_.width());
    float* features = ws.features.data();
    for (const std::span<const float> row : group) {
      features = std::copy(row.begin(), row.end(), features);
    }
    std::vector<std::size_t> indices(group.size());
    std::iota(indices.begin(), indices.end(), first);
    projection_->apply(ws.features.data(), indices, to, ws);
  }
}

}  // namespace elmo

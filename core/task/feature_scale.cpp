#include "core/task/feature_scale.h"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "core/model/scalar_mix.h"
#include "core/tensor/aligned.h"

namespace elmo {
namespace {

std::vector<double> means_of(std::span<const float> values, std::size_t columns) {
  std::vector<double> means(columns, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) means[i % columns] += values[i];
  for (double& mean : means) mean /= static_cast<double>(values.size() / columns);
  return means;
}

std::vector<double> variances_of(std::span<const float> centred, std::size_t columns) {
  std::vector<double> variances(columns, 0.0);
  for (std::size_t i = 0; i < centred.size(); ++i) {
    variances[i % columns] += double{centred[i]} * double{centred[i]};
  }
  for (double& variance : variances) variance /= static_cast<double>(centred.size() / columns);
  return variances;
}

}  // namespace

FeatureScale::FeatureScale(std::span<const float> sample, const BilmShape& bilm) {
  const auto columns = static_cast<std::size_t>(bilm.rows() * bilm.projection);
  const std::vector<double> means = means_of(sample, columns);
  means_.assign(means.begin(), means.end());
  AlignedVector<float> centred(sample.begin(), sample.end());
  centre(centred);
  variances_ = variances_of(centred, columns);

  LayerWeights equal;
  equal.weights.assign(static_cast<std::size_t>(bilm.layers + 1),
                       1.0F / static_cast<float>(bilm.layers + 1));
  const auto mix_columns = static_cast<std::size_t>(bilm.mix_columns());
  AlignedVector<float> mixed(sample.size() / columns * mix_columns);
  mix_layers(centred, bilm.projection, equal, mixed.data());
  mix_variances_ = variances_of(mixed, mix_columns);
}

void FeatureScale::centre(std::span<float> activations) const {
  const std::size_t columns = means_.size();
  for (std::size_t begin = 0; begin < activations.size(); begin += columns) {
    for (std::size_t i = 0; i < columns; ++i) activations[begin + i] -= means_[i];
  }
}

float FeatureScale::factor(const ProbedLayer& layer) const {
  const std::vector<double>& variances = layer.mixed ? mix_variances_ : variances_;
  const auto first = variances.begin() + layer.column;
  const double mean =
      std::accumulate(first, first + layer.columns, 0.0) / static_cast<double>(layer.columns);
  return mean > 0.0 ? static_cast<float>(1.0 / std::sqrt(mean)) : 1.0F;
}

}  // namespace elmo

#include "core/train/bilm/encoder_pass.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/kernels/encoder_kernels.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/model/characters.h"

namespace elmo {

void WordPass::forward(const TrainingBatch& batch, float* to) {
  const std::int64_t width = table_.shape[1];
  for (const std::uint32_t type : batch.types) {
    to = std::copy_n(table_.values.data() + rows_[type] * width, width, to);
  }
  std::vector<std::int32_t>& touched = table_.touched.emplace();
  for (const std::vector<std::uint32_t>* types : {&batch.types, &batch.read_elsewhere}) {
    for (const std::uint32_t type : *types) touched.push_back(rows_[type]);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
}

void WordPass::backward(const TrainingBatch& batch, const float* gradient) {
  const std::int64_t width = table_.shape[1];
  const std::vector<std::int32_t>& touched = *table_.touched;
  table_.gradient.assign(table_.gradient_size(), 0.0F);
  for (const std::uint32_t type : batch.types) {
    const auto row = std::lower_bound(touched.begin(), touched.end(), rows_[type]);
    add(gradient, width, table_.gradient.data() + (row - touched.begin()) * width);
    gradient += width;
  }
}

namespace {

std::vector<CharacterConvolution::Bank> banks_of(TrainedBilm& model) {
  std::vector<CharacterConvolution::Bank> banks;
  const CharCnnIndex& index = *model.parameters.index().char_cnn;
  for (std::size_t i = 0; i < index.banks.size(); ++i) {
    banks.push_back({&model.parameters[index.banks[i].weights],
                     &model.parameters[index.banks[i].bias],
                     model.options.char_cnn->filters[i].width});
  }
  return banks;
}

}  // namespace

EncoderPass::EncoderPass(TrainedBilm& model, std::span<const std::string> types, bool is_first,
                         Precision precision)
    : parameters_(model.parameters),
      index_(*model.parameters.index().char_cnn),
      token_projection_(model.parameters.index().token_projection),
      gradients_(is_first),
      products_(precision),
      options_(*model.options.char_cnn),
      spelled_(types),
      filters_(options_.filter_count()),
      projection_(model.options.lstm.projection_dim),
      convolution_(parameters_[index_.embedding], banks_of(model),
                   {options_.activation, FilterLayout::filters_last, precision}) {
  for (const CharFilter& filter : options_.filters) widest_ = std::max(widest_, filter.width);
  highways_.resize(static_cast<std::size_t>(options_.n_highway));
}

const float* EncoderPass::values(std::size_t parameter) const {
  return parameters_[parameter].values.data();
}

float* EncoderPass::gradient(std::size_t parameter) {
  return gradients_.of(parameters_[parameter]).data();
}

void EncoderPass::spell(std::span<const std::uint32_t> types) {
  words_.words.clear();
  words_.ids.clear();
  std::vector<std::int32_t> ids(static_cast<std::size_t>(options_.max_characters_per_token));
  for (const std::int64_t row : rows_) {
    const std::uint32_t type = types[static_cast<std::size_t>(row)];
    std::size_t id_count = 0;
    if (type == kBeginSentenceType) {
      id_count = char_ids(Boundary::begin_sentence, ids);
    } else if (type == kEndSentenceType) {
      id_count = char_ids(Boundary::end_sentence, ids);
    } else {
      id_count = char_ids(spelled_[type - kFirstType], ids);
    }
    // All windows that see only padding are equal: one of them is enough for the maximum.
    const std::int64_t length =
        std::min(static_cast<std::int64_t>(id_count) + widest_, options_.max_characters_per_token);
    words_.words.push_back({static_cast<std::int64_t>(words_.ids.size()), length});
    words_.ids.insert(words_.ids.end(), ids.begin(), ids.begin() + length);
  }
}

void EncoderPass::forward(std::span<const std::uint32_t> types, std::vector<std::int64_t> rows,
                          float* to) {
  rows_ = std::move(rows);
  if (rows_.empty()) return;
  const auto count = static_cast<std::int64_t>(rows_.size());
  const std::int64_t size = count * filters_;
  grow(features_, size);
  grow(outputs_, count * projection_);
  spell(types);
  std::copy_n(convolution_.forward(words_), size, features_.data());
  for (std::size_t k = 0; k < highways_.size(); ++k) {
    Highway& highway = highways_[k];
    const auto& [carry, transform] = index_.highways[k];
    grow(highway.input, size);
    grow(highway.gate, size);
    grow(highway.candidate, size);
    std::copy_n(features_.data(), size, highway.input.data());
    const ConstFloatView input(highway.input.data(), count, filters_);
    products_.multiply(input, parameters_[carry.weights].matrix(),
                       {highway.gate.data(), count, filters_});
    products_.multiply(input, parameters_[transform.weights].matrix(),
                       {highway.candidate.data(), count, filters_});
    highway_forward(highway.gate.data(), values(carry.bias), highway.candidate.data(),
                    values(transform.bias), highway.input.data(), count, filters_,
                    features_.data());
  }

  const float* outputs = features_.data();
  if (token_projection_) {
    fill_rows(values(token_projection_->bias), {outputs_.data(), count, projection_});
    products_.multiply({features_.data(), count, filters_},
                       parameters_[token_projection_->weights].matrix(),
                       {outputs_.data(), count, projection_}, Beta::one);
    outputs = outputs_.data();
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::copy_n(outputs + i * projection_, projection_,
                to + rows_[static_cast<std::size_t>(i)] * projection_);
  }
}

void EncoderPass::backward(const float* output_gradient) {
  const auto count = static_cast<std::int64_t>(rows_.size());
  grow(feature_gradient_, count * filters_);
  const std::size_t parameters = parameters_.index().encoder_size();
  for (std::size_t parameter = 0; parameter < parameters; ++parameter) {
    AlignedVector<float>& gradient = gradients_.of(parameters_[parameter]);
    std::fill(gradient.begin(), gradient.end(), 0.0F);
  }
  if (rows_.empty()) return;

  float* features = feature_gradient_.data();
  float* outputs = token_projection_ ? outputs_.data() : features;
  for (std::int64_t i = 0; i < count; ++i) {
    std::copy_n(output_gradient + rows_[static_cast<std::size_t>(i)] * projection_, projection_,
                outputs + i * projection_);
  }
  if (token_projection_) {
    add_column_sums({outputs, count, projection_}, gradient(token_projection_->bias));
    const ConstFloatView of_outputs(outputs, count, projection_);
    products_.multiply(ConstFloatView(features_.data(), count, filters_).transposed(), of_outputs,
                       {gradient(token_projection_->weights), filters_, projection_});
    products_.multiply(of_outputs, parameters_[token_projection_->weights].matrix().transposed(),
                       {features, count, filters_});
  }
  for (std::size_t k = highways_.size(); k-- > 0;) {
    Highway& highway = highways_[k];
    highway_backward(highway.gate.data(), highway.candidate.data(), highway.input.data(), count,
                     filters_, features);
    const auto& [carry, transform] = index_.highways[k];
    const auto back = [&](const AffineIndex& affine, const float* sums) {
      add_column_sums({sums, count, filters_}, gradient(affine.bias));
      const ConstFloatView of_sums(sums, count, filters_);
      products_.multiply(ConstFloatView(highway.input.data(), count, filters_).transposed(),
                         of_sums, {gradient(affine.weights), filters_, filters_});
      products_.multiply(of_sums, parameters_[affine.weights].matrix().transposed(),
                         {features, count, filters_}, Beta::one);
    };
    back(carry, highway.gate.data());
    back(transform, highway.candidate.data());
  }
  convolution_.backward(features, gradients_);
}

}  // namespace elmo

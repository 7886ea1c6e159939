#include "core/kernels/convolution.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>
#include <vector>

#include "core/kernels/onednn.h"
#include "core/kernels/panel_matrix.h"
#include "core/matrix.h"

namespace elmo {

namespace {

std::atomic<std::uint64_t> banks_made{0};

using onednn::Tag;
using onednn::Type;

dnnl::convolution_forward::primitive_desc descriptor(const dnnl::memory::desc& weights,
                                                     std::int64_t length) {
  const auto shape = onednn::shape_of(weights);  // n, C, width
  return onednn::convolution_descriptor(
      {{kConvolutionTokens, shape[1], length}, Type::f32, Tag::nwc}, weights,
      {{shape[0]}, Type::f32, Tag::x},
      {{kConvolutionTokens, shape[0], length - shape[2] + 1}, Type::f32, Tag::nwc},
      onednn::attributes());
}

}  // namespace

struct Convolution::Packed {
  std::uint64_t number;  // unique in the process; addresses may be reused
  std::int64_t width;
  std::int64_t filters;
  dnnl::memory plain;  // oneDNN prefers a different layout for each length
  dnnl::memory bias;
  PanelMatrix panels;  // instead of `plain`, where the backend is panels: [width · C, n]

  /// Implements ConvolutionWorkspace::convolve with panels: an output is the product of a window
  /// (`width` consecutive rows of C values) and the weights.
  void convolve(const float* from, std::int64_t length, float* to) const {
    const std::int64_t embedding_dim = panels.rows() / width;
    const std::int64_t count = length - width + 1;
    const auto* const biases = static_cast<const float*>(bias.get_data_handle());
    fill_rows(biases, {to, kConvolutionTokens * count, filters});
    for (std::int64_t token = 0; token < kConvolutionTokens; ++token) {
      const ConstFloatView windows(from + token * length * embedding_dim, count, panels.rows(),
                                   embedding_dim);
      panels.multiply_add(windows, {to + token * count * filters, count, filters});
    }
  }
};

Convolution::Convolution(const float* weights, const float* bias, std::int64_t width,
                         std::int64_t embedding_dim, std::int64_t filters) {
  const dnnl::memory::desc layout({filters, embedding_dim, width}, Type::f32,
                                  dnnl::memory::dims{1, filters, embedding_dim * filters});
  Packed packed{
      banks_made++, width, filters, {}, onednn::allocate({{filters}, Type::f32, Tag::x}), {}};
  if (backend(Precision::float32) == Backend::panels) {
    packed.panels.set({weights, width * embedding_dim, filters});
  } else {
    packed.plain = onednn::allocate(layout);
    std::copy(weights, weights + width * embedding_dim * filters,
              static_cast<float*>(packed.plain.get_data_handle()));
  }
  std::copy(bias, bias + filters, static_cast<float*>(packed.bias.get_data_handle()));
  packed_ = std::make_shared<const Packed>(std::move(packed));
}

std::int64_t Convolution::width() const { return packed_->width; }
std::int64_t Convolution::filters() const { return packed_->filters; }

struct ConvolutionWorkspace::Cache {
  struct Entry {
    dnnl::convolution_forward primitive;
    dnnl::memory from;
    dnnl::memory weights;
    dnnl::memory to;
    dnnl::memory scratch;
  };

  dnnl::stream stream{onednn::engine()};
  std::map<std::pair<std::uint64_t, std::int64_t>, Entry> entries;  // by bank and length
  AlignedVector<std::byte> scratch;

  Entry& at(const Convolution::Packed& bank, std::int64_t length) {
    const auto found = entries.find({bank.number, length});
    if (found != entries.end()) return found->second;
    const auto memory = [](const dnnl::memory::desc& layout) {
      return dnnl::memory(layout, onednn::engine(), DNNL_MEMORY_NONE);
    };
    return entries
        .emplace(std::pair{bank.number, length}, onednn::create([&] {
                   const dnnl::memory::desc any(onednn::shape_of(bank.plain.get_desc()), Type::f32,
                                                Tag::any);
                   const auto chosen = descriptor(any, length);
                   const dnnl::memory weights = onednn::allocate(chosen.weights_desc());
                   onednn::reorder(bank.plain, weights);
                   scratch.resize(std::max(scratch.size(), chosen.scratchpad_desc().get_size()));
                   return Entry{dnnl::convolution_forward(chosen), memory(chosen.src_desc()),
                                weights, memory(chosen.dst_desc()),
                                memory(chosen.scratchpad_desc())};
                 }))
        .first->second;
  }
};

ConvolutionWorkspace::ConvolutionWorkspace() : cache_(std::make_shared<Cache>()) {}

void ConvolutionWorkspace::convolve(const float* from, const Convolution& bank, std::int64_t length,
                                    float* to) {
  if (backend(Precision::float32) == Backend::panels) {
    bank.packed_->convolve(from, length, to);
    return;
  }
  Cache::Entry& entry = cache_->at(*bank.packed_, length);
  entry.from.set_data_handle(const_cast<float*>(from));
  entry.to.set_data_handle(to);
  entry.scratch.set_data_handle(cache_->scratch.data());
  entry.primitive.execute(cache_->stream, {{DNNL_ARG_SRC, entry.from},
                                           {DNNL_ARG_WEIGHTS, entry.weights},
                                           {DNNL_ARG_BIAS, bank.packed_->bias},
                                           {DNNL_ARG_DST, entry.to},
                                           {DNNL_ARG_SCRATCHPAD, entry.scratch}});
}

}  // namespace elmo

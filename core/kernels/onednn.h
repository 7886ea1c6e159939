// What every oneDNN user in this room shares: the engine, formats, and the differences between
// oneDNN 2 and 3 that reach us. Private to core/kernels.
#pragma once

#include <dnnl.hpp>

#include "core/kernels/precision.h"

namespace elmo::onednn {

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

/// The CPU engine of this process. oneDNN engines may be used by any thread.
inline const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

/// Scratch memory comes from the caller, which makes primitives safe to share between threads.
inline dnnl::primitive_attr attributes(bool accumulate = false) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (accumulate) {
    dnnl::post_ops operations;
    operations.append_sum(1.0F);
    attributes.set_post_ops(operations);
  }
  return attributes;
}

inline dnnl::memory::dims shape_of(const dnnl::memory::desc& layout) {
#if DNNL_VERSION_MAJOR >= 3
  return layout.get_dims();
#else
  return layout.dims();
#endif
}

inline dnnl::matmul::primitive_desc matmul_descriptor(const dnnl::memory::desc& source,
                                                      const dnnl::memory::desc& weights,
                                                      const dnnl::memory::desc& destination,
                                                      const dnnl::primitive_attr& attributes) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine(), source, weights, destination, attributes};
#else
  return {dnnl::matmul::desc(source, weights, destination), attributes, engine()};
#endif
}

/// Convolution over one dimension, stride 1, no padding, with bias.
inline dnnl::convolution_forward::primitive_desc convolution_descriptor(
    const dnnl::memory::desc& source, const dnnl::memory::desc& weights,
    const dnnl::memory::desc& bias, const dnnl::memory::desc& destination,
    const dnnl::primitive_attr& attributes) {
  const dnnl::memory::dims stride{1};
  const dnnl::memory::dims padding{0};
  constexpr auto kind = dnnl::prop_kind::forward_inference;
  constexpr auto algorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  return {engine(),    kind,   algorithm, source,  weights,   bias,
          destination, stride, padding,   padding, attributes};
#else
  return {dnnl::convolution_forward::desc(kind, algorithm, source, weights, bias, destination,
                                          stride, padding, padding),
          attributes, engine()};
#endif
}

}  // namespace elmo::onednn

// The choice of the code that computes matrix products on this processor, and shared oneDNN code:
// the engine, formats, matrix products with the memory objects for their arguments, and the
// differences between oneDNN 2 and 3. Private to core/kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <dnnl.hpp>
#include <mutex>
#include <new>

#include "core/kernels/precision.h"
#include "core/matrix.h"
#include "core/resources.h"

namespace elmo {

/// The code for products in one precision.
enum class Backend {
  none,    ///< this processor lacks the instructions
  onednn,  ///< oneDNN
  panels   ///< the kernels of PanelMatrix and BytePanels
};

/// Returns the code for products in `precision`, and, for float32, for convolutions. The same for
/// the whole process. Any thread.
Backend backend(Precision precision);

}  // namespace elmo

namespace elmo::onednn {

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

/// The CPU engine of this process. Any thread.
inline const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

/// create() requires this much free memory, because oneDNN crashes if it has no memory for
/// generated code. It is a few times what oneDNN needs, because other threads allocate meanwhile.
inline constexpr std::size_t kFreeBytes = std::size_t{64} << 20;

/// Calls `make`, which creates primitives, descriptors or memory, and returns its result. Runs one
/// thread at a time, because these share process-wide state of oneDNN. std::bad_alloc if memory is
/// short. Execution does not need this.
template <typename Make>
auto create(Make make) {
  static std::recursive_mutex mutex;
  const std::lock_guard lock(mutex);
  require_free_memory(kFreeBytes);
  try {
    return make();
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) throw std::bad_alloc();
    throw;
  }
}

/// Allocates uninitialized memory with `layout`.
inline dnnl::memory allocate(const dnnl::memory::desc& layout) {
  return create([&] { return dnnl::memory(layout, engine()); });
}

/// Copies `from` to `to`, converting to the layout and format of `to`.
inline void reorder(dnnl::memory from, dnnl::memory to) {
  const auto primitive = create([&] { return dnnl::reorder(from, to); });
  dnnl::stream stream(engine());
  primitive.execute(stream, from, to);
  stream.wait();
}

/// Attributes for primitives whose scratch memory comes from the caller, so that threads can share
/// them. With `accumulate`, the result is added to the output.
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

/// The number formats of a matrix product.
struct ProductTypes {
  Type input;
  Type weights;
  Type output;
};

inline ProductTypes product_types(Precision precision) {
  switch (precision) {
    case Precision::bfloat16:
      return {Type::bf16, Type::bf16, Type::f32};
    case Precision::int8:
      return {Type::u8, Type::s8, Type::s32};
    case Precision::float32:
      break;
  }
  return {Type::f32, Type::f32, Type::f32};
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

/// The weights layout [rows, columns] that oneDNN prefers for products of many rows.
inline dnnl::memory::desc preferred_layout(dnnl::memory::dim rows, dnnl::memory::dim columns,
                                           const ProductTypes& types) {
  // Products of any number of rows use the layout chosen for this many.
  constexpr dnnl::memory::dim kRows = 128;
  return create([&] {
    return matmul_descriptor({{kRows, rows}, types.input, Tag::ab},
                             {{rows, columns}, types.weights, Tag::any},
                             {{kRows, columns}, types.output, Tag::ab}, attributes())
        .weights_desc();
  });
}

/// True if `layout` is rows of float32 without gaps.
inline bool is_plain(const dnnl::memory::desc& layout) {
  return layout == dnnl::memory::desc(shape_of(layout), Type::f32, Tag::ab);
}

/// Distance between the rows of a float32 operand. Below AVX-512, kernels read operands in place.
/// Rows a power of two apart share few cache sets, which makes kernels twice as slow, so rows are a
/// cache line further apart than their length. Kernels with their own layout for weights need rows
/// without gaps; otherwise oneDNN falls back to its reference code.
inline std::int64_t spaced(std::int64_t columns) {
  static const bool in_place =
      is_plain(preferred_layout(256, 1024, product_types(Precision::float32)));
  return in_place ? columns + static_cast<std::int64_t>(kCacheLine / sizeof(float)) : columns;
}

/// The layout for packed weights [rows, columns]: the preferred one, but with spaced rows if that
/// is rows of float32.
inline dnnl::memory::desc packed_layout(dnnl::memory::dim rows, dnnl::memory::dim columns,
                                        const ProductTypes& types) {
  const dnnl::memory::desc layout = preferred_layout(rows, columns, types);
  if (!is_plain(layout)) return layout;
  return {{rows, columns}, Type::f32, dnnl::memory::dims{spaced(columns), 1}};
}

/// One-dimensional convolution with stride 1, no padding, and bias.
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

/// A matrix product of fixed shapes. std::bad_alloc if oneDNN runs out of memory. Not for two
/// threads at once.
class Matmul {
 public:
  Matmul(const dnnl::memory::desc& a, const dnnl::memory::desc& b, const dnnl::memory::desc& c,
         bool accumulate)
      : Matmul(create([&] { return matmul_descriptor(a, b, c, attributes(accumulate)); })) {}

  std::size_t scratch_bytes() const { return scratch_bytes_; }

  /// Computes c = a · b, or c += a · b with `accumulate`. `scratch` has room for scratch_bytes().
  void execute(const dnnl::stream& stream, const void* a, const dnnl::memory& b, void* c,
               void* scratch) {
    a_.set_data_handle(const_cast<void*>(a));
    c_.set_data_handle(c);
    scratch_.set_data_handle(scratch);
    // Uses the C interface, because the C++ interface builds a hash map of the arguments in every
    // call.
    const std::array<dnnl_exec_arg_t, 4> arguments{{{DNNL_ARG_SRC, a_.get()},
                                                    {DNNL_ARG_WEIGHTS, b.get()},
                                                    {DNNL_ARG_DST, c_.get()},
                                                    {DNNL_ARG_SCRATCHPAD, scratch_.get()}}};
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(primitive_.get(), stream.get(), static_cast<int>(arguments.size()),
                               arguments.data()),
        "could not execute a matrix product");
  }

 private:
  explicit Matmul(const dnnl::matmul::primitive_desc& descriptor)
      : primitive_(create([&] { return dnnl::matmul(descriptor); })),
        a_(descriptor.src_desc(), engine(), DNNL_MEMORY_NONE),
        c_(descriptor.dst_desc(), engine(), DNNL_MEMORY_NONE),
        scratch_(descriptor.scratchpad_desc(), engine(), DNNL_MEMORY_NONE),
        scratch_bytes_(descriptor.scratchpad_desc().get_size()) {}

  dnnl::matmul primitive_;
  dnnl::memory a_;
  dnnl::memory c_;
  dnnl::memory scratch_;
  std::size_t scratch_bytes_;
};

}  // namespace elmo::onednn

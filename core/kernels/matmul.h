// A oneDNN matrix product with the memory objects for its arguments. Private to core/kernels.
#pragma once

#include <array>
#include <cstddef>

#include "core/kernels/onednn.h"

namespace elmo::onednn {

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

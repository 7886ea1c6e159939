#include "core/kernels/limits/matmul_peak.h"

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <random>
#include <unordered_map>
#include <vector>

#include "core/kernels/gemm.h"
#include "core/kernels/limits/rate.h"
#include "core/kernels/onednn.h"

namespace elmo {

namespace {

using onednn::Tag;
using onednn::Type;

constexpr std::int64_t kSize = 2048;
constexpr double kOperations = 2.0 * kSize * kSize * kSize;

dnnl::memory empty(const dnnl::memory::desc& layout) { return {layout, onednn::engine()}; }

// Numbers that fit every format and differ from each other: zeros would spare the CPU power.
dnnl::memory filled(const dnnl::memory::desc& layout) {
  dnnl::memory plain = empty({{kSize, kSize}, Type::f32, Tag::ab});
  auto* values = static_cast<float*>(plain.get_data_handle());
  std::minstd_rand generator;
  for (std::int64_t i = 0; i < kSize * kSize; ++i) {
    values[i] = static_cast<float>(generator() % 100);
  }
  dnnl::memory memory = empty(layout);
  onednn::reorder(plain, memory);
  return memory;
}

// A product with matrices of its own.
class Product {
 public:
  explicit Product(Precision precision) {
    const onednn::ProductTypes types = onednn::product_types(precision);
    const auto layout = [](Type type, Tag tag) {
      return dnnl::memory::desc({kSize, kSize}, type, tag);
    };
    const std::lock_guard lock(onednn::creation());
    const auto descriptor =
        onednn::matmul_descriptor(layout(types.input, Tag::ab), layout(types.weights, Tag::any),
                                  layout(types.output, Tag::ab), onednn::attributes());
    primitive_ = dnnl::matmul(descriptor);
    arguments_ = {{DNNL_ARG_SRC, filled(descriptor.src_desc())},
                  {DNNL_ARG_WEIGHTS, filled(descriptor.weights_desc())},
                  {DNNL_ARG_DST, empty(descriptor.dst_desc())},
                  {DNNL_ARG_SCRATCHPAD, empty(descriptor.scratchpad_desc())}};
  }

  void compute() {
    dnnl::stream stream(onednn::engine());
    primitive_.execute(stream, arguments_);
    stream.wait();
  }

 private:
  dnnl::matmul primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

// The primitive is made for a number of threads, so both making and computing set it.
double rate(Precision precision, std::size_t products, int threads_each) {
  std::vector<std::function<void()>> work;
  set_threads_of_this_thread(threads_each);
  for (std::size_t i = 0; i < products; ++i) {
    const auto product = std::make_shared<Product>(precision);
    work.emplace_back([product, threads_each] {
      set_threads_of_this_thread(threads_each);
      product->compute();
    });
  }
  return side_by_side_rate(work, kOperations);
}

}  // namespace

MatmulPeak measure_matmul_peak(Precision precision, int threads) {
  // On a thread of its own, which leaves the caller's number of threads alone.
  const auto measure = [precision, threads] {
    return MatmulPeak{rate(precision, 1, threads),
                      rate(precision, static_cast<std::size_t>(threads), 1)};
  };
  return std::async(std::launch::async, measure).get();
}

}  // namespace elmo

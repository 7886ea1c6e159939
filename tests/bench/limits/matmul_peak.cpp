#include "tests/bench/limits/matmul_peak.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <unordered_map>
#include <vector>

#include "core/kernels/onednn.h"
#include "core/workers.h"
#include "tests/bench/limits/rate.h"

namespace elmo {

namespace {

using onednn::Tag;
using onednn::Type;

constexpr std::int64_t kSize = 2048;
constexpr double kOperations = 2.0 * kSize * kSize * kSize;

// Different numbers that fit every format. Zeros would reduce the power that the CPU needs.
dnnl::memory filled(const dnnl::memory::desc& layout) {
  dnnl::memory plain = onednn::allocate({{kSize, kSize}, Type::f32, Tag::ab});
  auto* values = static_cast<float*>(plain.get_data_handle());
  std::minstd_rand generator;
  for (std::int64_t i = 0; i < kSize * kSize; ++i) {
    values[i] = static_cast<float>(generator() % 100);
  }
  dnnl::memory memory = onednn::allocate(layout);
  onednn::reorder(plain, memory);
  return memory;
}

// A product that owns its matrices.
class Product {
 public:
  explicit Product(Precision precision) {
    const onednn::ProductTypes types = onednn::product_types(precision);
    const auto layout = [](Type type, Tag tag) {
      return dnnl::memory::desc({kSize, kSize}, type, tag);
    };
    const auto descriptor = onednn::create([&] {
      return onednn::matmul_descriptor(layout(types.input, Tag::ab),
                                       layout(types.weights, Tag::any),
                                       layout(types.output, Tag::ab), onednn::attributes());
    });
    primitive_ = onednn::create([&] { return dnnl::matmul(descriptor); });
    arguments_ = {{DNNL_ARG_SRC, filled(descriptor.src_desc())},
                  {DNNL_ARG_WEIGHTS, filled(descriptor.weights_desc())},
                  {DNNL_ARG_DST, onednn::allocate(descriptor.dst_desc())},
                  {DNNL_ARG_SCRATCHPAD, onednn::allocate(descriptor.scratchpad_desc())}};
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

double rate(Precision precision, std::size_t count, int threads_each) {
  // A primitive must be made with the number of threads that will compute it.
  std::vector<std::unique_ptr<Product>> products(count);
  Workers maker(1, threads_each);
  maker.run(1, [&](std::size_t) {
    for (auto& product : products) product = std::make_unique<Product>(precision);
  });
  maker.close();

  std::vector<std::function<void()>> work;
  work.reserve(products.size());
  for (const auto& product : products) work.emplace_back([&product] { product->compute(); });
  return side_by_side_rate(work, kOperations, threads_each);
}

}  // namespace

MatmulPeak measure_matmul_peak(Precision precision, int threads) {
  return {rate(precision, 1, threads), rate(precision, static_cast<std::size_t>(threads), 1)};
}

}  // namespace elmo

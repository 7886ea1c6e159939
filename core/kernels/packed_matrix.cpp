#include "core/kernels/packed_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/kernels/byte_panels.h"
#include "core/kernels/convert.h"
#include "core/kernels/onednn.h"
#include "core/kernels/panel_matrix.h"
#include "core/kernels/random.h"
#include "core/resources.h"

namespace elmo {
namespace {

using onednn::Tag;
using onednn::Type;

dnnl::memory::desc row_major(std::int64_t rows, std::int64_t columns, Type type) {
  return {{rows, columns}, type, Tag::ab};
}

// oneDNN's order of summation within a row depends on the number of rows of the product, so a row's
// bits would depend on how many other rows there are. Products therefore run in blocks of a few
// fixed sizes that give the same bits with every version of oneDNN and on every CPU; the tests of
// this file check that on the machine they run on. Smaller numbers of rows are checked at run time.

/// Multiples of six and of four, the rows per kernel call below AVX-512 and from AVX-512 on;
/// largest first.
constexpr std::array<std::int64_t, 3> kFloatBlocks = {48, 12, 6};
constexpr std::array<std::int64_t, 3> kBfloat16Blocks = {192, 48, 12};

/// For rows longer than kLongRow values, and for rows that do not fill AMX's tiles, the order in
/// which AMX sums bfloat16 differs for every number of rows, so there is only one block size.
constexpr std::int64_t kLongRow = 512;
constexpr std::int64_t kTileRow = 32;
constexpr std::array<std::int64_t, 1> kLongBfloat16Blocks = {64};

std::span<const std::int64_t> blocks_of(Precision precision, std::int64_t row_length) {
  if (precision == Precision::float32) return kFloatBlocks;
  if (row_length > kLongRow || row_length % kTileRow != 0) return kLongBfloat16Blocks;
  return kBfloat16Blocks;
}

/// Numbers of rows below the smallest block, for single sentences; smallest first. Each is used
/// only if it gives the same bits as a block, which depends on the CPU and the version of oneDNN.
constexpr std::array<std::int64_t, 3> kFewRows = {1, 4, 16};

/// Minimum number of columns of a product that can be checked, in whole kernels. A kernel may sum
/// left-over columns in another order, and a few sums are often equal in any order.
constexpr std::int64_t kTellingColumns = 64;
constexpr std::int64_t kColumnsPerKernel = 16;

bool can_tell_order(std::int64_t columns) {
  return columns >= kTellingColumns && columns % kColumnsPerKernel == 0;
}

}  // namespace

// Size of a sum, a float or an int32.
constexpr std::size_t kOutputBytes = 4;

std::size_t input_bytes(Precision precision) {
  return dnnl::memory::data_type_size(onednn::product_types(precision).input);
}

struct PackedMatrix::Packed {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Precision precision = Precision::float32;
  Backend backend = Backend::onednn;
  // The weights in the backend's form; for panels, the form depends on the precision.
  dnnl::memory memory;
  std::shared_ptr<std::byte> owner;  // keeps what `memory` refers to
  PanelMatrix panels;
  BytePanels byte_panels;

  /// Implements GemmWorkspace::multiply with panels.
  void multiply(const void* a, void* c, std::int64_t count, bool accumulate) const {
    if (precision == Precision::int8) {
      byte_panels.multiply(static_cast<const std::uint8_t*>(a), count,
                           static_cast<std::int32_t*>(c), accumulate);
      return;
    }
    const ConstFloatView from(static_cast<const float*>(a), count, rows);
    const FloatView to(static_cast<float*>(c), count, columns);
    if (accumulate) {
      panels.multiply_add(from, to);
    } else {
      panels.multiply(from, to);
    }
  }
};

namespace {

// Size of the buffers of WeightMemory. Pages that no weights lie in take no memory.
constexpr std::size_t kWeightBuffer = 4 * kHugePage;

std::shared_ptr<std::byte> aligned_memory(std::size_t bytes, std::size_t boundary) {
  const std::align_val_t alignment{boundary};
  return {static_cast<std::byte*>(::operator new(bytes, alignment)),
          [alignment](std::byte* memory) { ::operator delete(memory, alignment); }};
}

}  // namespace

std::shared_ptr<std::byte> WeightMemory::allocate(std::size_t bytes) {
  const std::size_t size = (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  const std::lock_guard lock(mutex_);
  const bool fits = buffer_ && size <= kWeightBuffer - used_;
  if (!fits && (size > kWeightBuffer || given_ >= kHugeWeights)) {
    return aligned_memory(size, kCacheLine);
  }
  if (!fits) {
    buffer_ = aligned_memory(kWeightBuffer, kHugePage);
    use_huge_pages(buffer_.get(), kWeightBuffer);
    used_ = 0;
  }
  given_ += size;
  std::byte* const first = buffer_.get() + used_;
  used_ += size;
  return {buffer_, first};
}

PackedMatrix::PackedMatrix(const float* values, std::int64_t rows, std::int64_t columns,
                           std::int64_t stride, Precision precision, WeightMemory& memory) {
  if (precision == Precision::int8 && rows > kMaxQuantizedRows) {
    throw RequestError("this model multiplies vectors of " + std::to_string(rows) +
                           " numbers, but int8 can add up " + std::to_string(kMaxQuantizedRows) +
                           " at most",
                       Remedy{"compute_in_float32"});
  }
  auto packed = std::make_shared<Packed>();
  packed->rows = rows;
  packed->columns = columns;
  packed->precision = precision;
  packed->backend = backend(precision);
  const bool in_panels = packed->backend == Backend::panels;

  AlignedVector<std::int8_t> quantized;
  if (precision == Precision::int8) {
    quantized.resize(static_cast<std::size_t>(rows * columns));
    scales_.resize(static_cast<std::size_t>(columns));
    offsets_.resize(static_cast<std::size_t>(columns));
    quantize_columns(values, rows, columns, stride, quantized.data(), scales_.data(),
                     offsets_.data());
    if (in_panels) packed->byte_panels = BytePanels(quantized.data(), rows, columns, offsets_);
  } else if (in_panels) {
    packed->panels.set({values, rows, columns, stride});
  }

  if (!in_panels) {
    const dnnl::memory source =
        precision == Precision::int8
            ? dnnl::memory(row_major(rows, columns, Type::s8), onednn::engine(), quantized.data())
            : dnnl::memory({{rows, columns}, Type::f32, dnnl::memory::dims{stride, 1}},
                           onednn::engine(), const_cast<float*>(values));
    const dnnl::memory::desc layout =
        onednn::packed_layout(rows, columns, onednn::product_types(precision));
    packed->owner = memory.allocate(layout.get_size());
    packed->memory =
        onednn::create([&] { return dnnl::memory(layout, onednn::engine(), packed->owner.get()); });
    onednn::reorder(source, packed->memory);
  }
  packed_ = std::move(packed);
}

std::int64_t PackedMatrix::rows() const { return packed_->rows; }
std::int64_t PackedMatrix::columns() const { return packed_->columns; }
Precision PackedMatrix::precision() const { return packed_->precision; }

struct GemmWorkspace::Cache {
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, Precision, bool>;

  dnnl::stream stream{onednn::engine()};
  std::map<Key, onednn::Matmul> products;
  AlignedVector<std::byte> scratch;
  std::map<Key, bool> agreeing;
  AlignedVector<std::byte> inputs;  // for a product with more rows than the caller's memory has
                                    // room for
  AlignedVector<std::byte> outputs;

  onednn::Matmul& at(const PackedMatrix::Packed& w, std::int64_t rows, bool accumulate) {
    const Key key{rows, w.rows, w.columns, w.precision, accumulate};
    const auto found = products.find(key);
    if (found != products.end()) return found->second;
    const onednn::ProductTypes types = onednn::product_types(w.precision);
    const onednn::Matmul product(row_major(rows, w.rows, types.input), w.memory.get_desc(),
                                 row_major(rows, w.columns, types.output), accumulate);
    scratch.resize(std::max(scratch.size(), product.scratch_bytes()));
    return products.emplace(key, product).first->second;
  }

  /// Returns the number of rows of the next product with `rows` rows left: the largest block that
  /// they fill, else one of kFewRows or the smallest block, which may both exceed `rows`. int8 runs
  /// as one product, because integer sums do not depend on the order.
  std::int64_t next_rows(const PackedMatrix::Packed& w, std::int64_t rows, bool accumulate) {
    if (w.precision == Precision::int8) return padded_rows(rows);
    const std::span<const std::int64_t> blocks = blocks_of(w.precision, w.rows);
    for (const std::int64_t block : blocks) {
      if (block <= rows) return block;
    }
    for (const std::int64_t few : kFewRows) {
      if (few >= rows && few < blocks.back() && can_tell_order(w.columns) &&
          agree(w, few, blocks.back(), accumulate)) {
        return few;
      }
    }
    return blocks.back();
  }

  /// Returns whether a product of `few` rows gives the same bits as a product of `block` rows.
  /// Checked with numbers whose sums depend on the order, once per shape, or at every product if
  /// the weights do not reveal the order.
  bool agree(const PackedMatrix::Packed& w, std::int64_t few, std::int64_t block, bool accumulate) {
    const Key key{few, w.rows, w.columns, w.precision, accumulate};
    const auto found = agreeing.find(key);
    if (found != agreeing.end()) return found->second;
    AlignedVector<float> numbers(static_cast<std::size_t>(block * w.rows));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = static_cast<float>(random_bits(0, i) >> 40) * 0x1p-23F - 1.0F;  // −1 to 1
    }
    AlignedVector<std::uint16_t> rounded(numbers.size());
    const void* rows = numbers.data();
    if (w.precision == Precision::bfloat16) {
      to_bfloat16(numbers, rounded);
      rows = rounded.data();
    }
    AlignedVector<float> alone(static_cast<std::size_t>(few * w.columns), 1.0F);
    AlignedVector<float> among(static_cast<std::size_t>(block * w.columns), 1.0F);
    const auto run = [&](std::int64_t count, float* sums) {
      onednn::Matmul& product = at(w, count, accumulate);
      product.execute(stream, rows, w.memory, sums, scratch.data());
    };
    run(few, alone.data());
    run(block, among.data());
    // Other weights of this shape will use the result, and weights that are zero or not finite do
    // not reveal the order.
    const auto telling = std::count_if(alone.begin(), alone.begin() + w.columns, [](float sum) {
      return std::isfinite(sum) && sum != 1.0F && sum != 0.0F;
    });
    if (2 * telling < w.columns) return false;
    const bool equal = std::memcmp(alone.data(), among.data(), alone.size() * sizeof(float)) == 0;
    return agreeing.emplace(key, equal).first->second;
  }
};

GemmWorkspace::GemmWorkspace() : cache_(std::make_shared<Cache>()) {}

std::int64_t GemmWorkspace::padded_rows(std::int64_t rows) {
  if (rows <= 4) return rows;
  const std::int64_t step = rows <= 32 ? 4 : 16;
  return (rows + step - 1) / step * step;
}

void GemmWorkspace::multiply(const void* a, const PackedMatrix& w, void* c, std::int64_t rows,
                             bool accumulate) {
  const PackedMatrix::Packed& packed = *w.packed_;
  if (packed.backend == Backend::panels) {
    packed.multiply(a, c, rows, accumulate);
    return;
  }
  const auto input_size = packed.rows * static_cast<std::int64_t>(input_bytes(packed.precision));
  const auto output_size = packed.columns * static_cast<std::int64_t>(kOutputBytes);
  const std::int64_t room = padded_rows(rows);
  std::int64_t computed = 0;
  for (std::int64_t first = 0; first < rows; first += computed) {
    computed = cache_->next_rows(packed, rows - first, accumulate);
    const std::int64_t count = std::min(computed, rows - first);
    const auto* from = static_cast<const std::byte*>(a) + first * input_size;
    auto* to = static_cast<std::byte*>(c) + first * output_size;
    onednn::Matmul& product = cache_->at(packed, computed, accumulate);
    const auto run = [&](const std::byte* inputs, std::byte* outputs) {
      product.execute(cache_->stream, inputs, packed.memory, outputs, cache_->scratch.data());
    };
    if (first + computed <= room) {
      run(from, to);
      continue;
    }
    grow(cache_->inputs, computed * input_size);
    grow(cache_->outputs, computed * output_size);
    std::copy_n(from, count * input_size, cache_->inputs.data());
    if (accumulate) std::copy_n(to, count * output_size, cache_->outputs.data());
    run(cache_->inputs.data(), cache_->outputs.data());
    std::copy_n(cache_->outputs.data(), count * output_size, to);
  }
}

void convert_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                  Precision precision, std::byte* to, float* scales) {
  if (precision == Precision::int8) {
    quantize_rows(from, rows, columns, stride, reinterpret_cast<std::uint8_t*>(to), scales);
    return;
  }
  const auto count = static_cast<std::size_t>(columns);
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* values = from + row * stride;
    if (precision == Precision::bfloat16) {
      to_bfloat16({values, count}, {reinterpret_cast<std::uint16_t*>(to) + row * columns, count});
    } else {
      std::memcpy(to + row * columns * static_cast<std::int64_t>(sizeof(float)), values,
                  count * sizeof(float));
    }
  }
}

void FloatProduct::set_input(const float* a, std::int64_t rows, std::int64_t columns,
                             Precision precision) {
  input_ = a;
  rows_ = rows;
  if (precision == Precision::float32) return;
  const std::int64_t padded = GemmWorkspace::padded_rows(rows);
  grow(converted_, padded * columns * static_cast<std::int64_t>(input_bytes(precision)));
  grow(scales_, rows);
  convert_rows(a, rows, columns, columns, precision, converted_.data(), scales_.data());
  input_ = converted_.data();
}

void FloatProduct::multiply(const PackedMatrix& w, float* c, GemmWorkspace& workspace) {
  if (w.precision() != Precision::int8) {
    workspace.multiply(input_, w, c, rows_, false);
    return;
  }
  grow(sums_, GemmWorkspace::padded_rows(rows_) * w.columns());
  workspace.multiply(input_, w, sums_.data(), rows_, false);
  dequantize_sums(sums_.data(), scales_.data(), w.scales().data(), w.offsets().data(), rows_,
                  w.columns(), c);
}

}  // namespace elmo

#include "tests/bench/limits/fused_lstm.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "core/kernels/convert.h"
#include "core/kernels/onednn.h"
#include "core/matrix.h"

namespace elmo {

namespace {

using onednn::Tag;
using onednn::Type;

constexpr std::int64_t kGates = 4;
constexpr std::int64_t kForget = 1;  // oneDNN's order is i, f, c~, o

// For each gate of oneDNN, the number of our gate; ours are i, j, f and o.
constexpr std::array<std::int64_t, kGates> kOurGate{0, 2, 1, 3};

// Reorders [rows, 4, cells] from our order of gates to oneDNN's.
AlignedVector<float> reorder_gates(const float* from, std::int64_t rows, std::int64_t cells) {
  AlignedVector<float> to(static_cast<std::size_t>(rows * kGates * cells));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t gate = 0; gate < kGates; ++gate) {
      const std::int64_t ours = kOurGate[static_cast<std::size_t>(gate)];
      std::copy_n(from + (row * kGates + ours) * cells, cells,
                  to.data() + (row * kGates + gate) * cells);
    }
  }
  return to;
}

dnnl::memory pack(const float* values, const dnnl::memory::dims& shape, Tag tag,
                  const dnnl::memory::desc& layout) {
  dnnl::memory plain({shape, Type::f32, tag}, onednn::engine(), const_cast<float*>(values));
  dnnl::memory packed = onednn::allocate(layout);
  onednn::reorder(plain, packed);
  return packed;
}

// Layouts of one LSTM layer of one direction. Initial states are zero and final states are not
// returned. `projection` is a zero descriptor without a projection.
struct LstmLayouts {
  dnnl::memory::desc source;       // [T, B, P]
  dnnl::memory::desc input;        // [1, 1, P, 4, D]
  dnnl::memory::desc recurrent;    // [1, 1, P, 4, D]
  dnnl::memory::desc projection;   // [1, 1, D, P]
  dnnl::memory::desc bias;         // [1, 1, 4, D]
  dnnl::memory::desc destination;  // [T, B, P]
};

dnnl::lstm_forward::primitive_desc lstm_descriptor(const LstmLayouts& layouts,
                                                   const dnnl::primitive_attr& attributes) {
  using onednn::engine;
  constexpr auto kind = dnnl::prop_kind::forward_inference;
  constexpr auto direction = dnnl::rnn_direction::unidirectional_left2right;
  const dnnl::memory::desc none;
#if DNNL_VERSION_MAJOR >= 3
  return {engine(),      kind,
          direction,     layouts.source,
          none,          none,
          layouts.input, layouts.recurrent,
          none,          layouts.projection,
          layouts.bias,  layouts.destination,
          none,          none,
          attributes};
#else
  return {dnnl::lstm_forward::desc(kind, direction, layouts.source, none, none, layouts.input,
                                   layouts.recurrent, none, layouts.projection, layouts.bias,
                                   layouts.destination, none, none),
          attributes, engine()};
#endif
}

}  // namespace

struct FusedLstm::Primitive {
  dnnl::stream stream{onednn::engine()};
  dnnl::lstm_forward lstm;
  std::unordered_map<int, dnnl::memory> arguments;
  std::size_t values = 0;  // T · B · P
  Precision precision = Precision::float32;
  AlignedVector<std::uint16_t> source;  // bfloat16
  AlignedVector<std::uint16_t> destination;
};

FusedLstm::FusedLstm(const Weights& weights, std::int64_t cells, std::int64_t projection_dim,
                     std::int64_t steps, std::int64_t lanes, Precision precision)
    : primitive_(std::make_unique<Primitive>()) {
  if (precision == Precision::int8) {
    throw std::logic_error("oneDNN has no int8 LSTM with projection");
  }
  const Type type = onednn::product_types(precision).input;
  const dnnl::memory::dims weight_shape{1, 1, projection_dim, kGates, cells};
  const dnnl::memory::dims projection_shape{1, 1, cells, projection_dim};
  const dnnl::memory::dims bias_shape{1, 1, kGates, cells};
  const dnnl::memory::desc any_weights(weight_shape, type, Tag::any);
  const dnnl::memory::desc sequence({steps, lanes, projection_dim}, type, Tag::tnc);
  const bool projected = cells != projection_dim;
  const auto descriptor = onednn::create([&] {
    return lstm_descriptor(
        {sequence, any_weights, any_weights,
         projected ? dnnl::memory::desc(projection_shape, type, Tag::any) : dnnl::memory::desc(),
         dnnl::memory::desc(bias_shape, Type::f32, Tag::ldgo), sequence},
        onednn::attributes());
  });

  Primitive& primitive = *primitive_;
  primitive.lstm = onednn::create([&] { return dnnl::lstm_forward(descriptor); });
  primitive.values = static_cast<std::size_t>(steps * lanes * projection_dim);
  primitive.precision = precision;

  const AlignedVector<float> products =
      reorder_gates(weights.input_and_recurrent, 2 * projection_dim, cells);
  AlignedVector<float> bias = reorder_gates(weights.bias, 1, cells);
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    bias[static_cast<std::size_t>(kForget * cells + cell)] += weights.forget_offset;
  }
  const float* recurrent = products.data() + projection_dim * kGates * cells;
  primitive.arguments = {
      {DNNL_ARG_WEIGHTS_LAYER,
       pack(products.data(), weight_shape, Tag::ldigo, descriptor.weights_layer_desc())},
      {DNNL_ARG_WEIGHTS_ITER,
       pack(recurrent, weight_shape, Tag::ldigo, descriptor.weights_iter_desc())},
      {DNNL_ARG_BIAS, pack(bias.data(), bias_shape, Tag::ldgo, descriptor.bias_desc())},
      {DNNL_ARG_SRC_LAYER, {descriptor.src_layer_desc(), onednn::engine(), DNNL_MEMORY_NONE}},
      {DNNL_ARG_DST_LAYER, {descriptor.dst_layer_desc(), onednn::engine(), DNNL_MEMORY_NONE}},
      {DNNL_ARG_SCRATCHPAD, onednn::allocate(descriptor.scratchpad_desc())}};
  if (projected) {
    primitive.arguments.emplace(DNNL_ARG_WEIGHTS_PROJECTION,
                                pack(weights.projection, projection_shape, Tag::ldio,
                                     descriptor.weights_projection_desc()));
  }
  if (precision == Precision::bfloat16) {
    primitive.source.resize(primitive.values);
    primitive.destination.resize(primitive.values);
  }
}

FusedLstm::~FusedLstm() = default;
FusedLstm::FusedLstm(FusedLstm&&) noexcept = default;
FusedLstm& FusedLstm::operator=(FusedLstm&&) noexcept = default;

void FusedLstm::run(const float* from, float* to) {
  Primitive& primitive = *primitive_;
  const bool rounded = primitive.precision == Precision::bfloat16;
  void* source = const_cast<float*>(from);
  void* destination = to;
  if (rounded) {
    to_bfloat16({from, primitive.values}, primitive.source);
    source = primitive.source.data();
    destination = primitive.destination.data();
  }
  primitive.arguments.at(DNNL_ARG_SRC_LAYER).set_data_handle(source);
  primitive.arguments.at(DNNL_ARG_DST_LAYER).set_data_handle(destination);
  primitive.lstm.execute(primitive.stream, primitive.arguments);
  primitive.stream.wait();
  if (!rounded) return;
  for (std::size_t i = 0; i < primitive.values; ++i) {
    to[i] = std::bit_cast<float>(static_cast<std::uint32_t>(primitive.destination[i]) << 16);
  }
}

}  // namespace elmo

#include "core/model/stored_parameters.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/kernels/convert.h"

namespace elmo {
namespace {

// 64 KiB of float32.
constexpr std::size_t kPiece = std::size_t{1} << 14;

/// Returns `count` elements from `first` on, as Number.
template <typename Number>
std::span<const Number> part(const ParameterValues& numbers, std::size_t first, std::size_t count) {
  return {reinterpret_cast<const Number*>(numbers.bytes.get()) + first, count};
}

}  // namespace

StoredParameters::StoredParameters(Parameters&& parameters) : list_(parameters.list()) {
  Parameters from = std::move(parameters);
  for (Parameter& parameter : from.all()) {
    const auto values = std::make_shared<const AlignedVector<float>>(std::move(parameter.values));
    const auto* bytes = std::as_bytes(std::span(*values)).data();
    numbers_.push_back({std::shared_ptr<const std::byte>(values, bytes), FloatFormat::float32});
  }
}

StoredParameters::StoredParameters(ParameterList list, std::vector<ParameterValues> numbers)
    : list_(std::move(list)), numbers_(std::move(numbers)) {}

std::size_t StoredParameters::count() const {
  std::size_t sum = 0;
  for (const ParameterSpec& spec : list_.specs) sum += spec.size();
  return sum;
}

void StoredParameters::copy(std::size_t parameter, std::size_t first, std::span<float> to) const {
  const ParameterValues& numbers = numbers_[parameter];
  switch (numbers.type) {
    case FloatFormat::float32:
      std::ranges::copy(part<float>(numbers, first, to.size()), to.begin());
      break;
    case FloatFormat::float16:
      from_float16(part<std::uint16_t>(numbers, first, to.size()), to);
      break;
    case FloatFormat::bfloat16:
      from_bfloat16(part<std::uint16_t>(numbers, first, to.size()), to);
      break;
  }
}

std::span<const float> StoredParameters::values(std::size_t parameter,
                                                AlignedVector<float>& room) const {
  const std::size_t size = list_.specs[parameter].size();
  if (numbers_[parameter].type == FloatFormat::float32) {
    return part<float>(numbers_[parameter], 0, size);
  }
  room.resize(size);
  copy(parameter, 0, room);
  return room;
}

void StoredParameters::for_each_piece(
    std::size_t parameter, const std::function<void(std::span<const float>)>& use) const {
  const std::size_t size = list_.specs[parameter].size();
  const bool in_place = numbers_[parameter].type == FloatFormat::float32;
  AlignedVector<float> room(in_place ? 0 : std::min(size, kPiece));
  for (std::size_t first = 0; first < size; first += kPiece) {
    const std::size_t count = std::min(kPiece, size - first);
    if (in_place) {
      use(part<float>(numbers_[parameter], first, count));
    } else {
      copy(parameter, first, std::span(room).first(count));
      use(std::span(room).first(count));
    }
  }
}

Parameters StoredParameters::to_parameters() {
  Parameters parameters(list_);
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    copy(i, 0, parameters[i].values);
    release(i);
  }
  return parameters;
}

PackedMatrix StoredParameters::pack(std::size_t parameter, Precision precision,
                                    AlignedVector<float>& room) {
  const std::vector<std::int64_t>& shape = list_.specs[parameter].shape;
  PackedMatrix packed(values(parameter, room).data(), shape[0], shape[1], shape[1], precision,
                      packed_memory());
  release(parameter);
  return packed;
}

AlignedVector<float> StoredParameters::take(std::size_t parameter) {
  AlignedVector<float> values(list_.specs[parameter].size());
  copy(parameter, 0, values);
  release(parameter);
  return values;
}

}  // namespace elmo

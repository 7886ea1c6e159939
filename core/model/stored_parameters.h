// A model's parameters in their stored form, in memory or in a mapped file, from which they are
// packed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/kernels/packed_matrix.h"
#include "core/kernels/precision.h"
#include "core/matrix.h"
#include "core/model/parameters.h"

namespace elmo {

/// The format of a stored value: IEEE 754, in this machine's byte order.
enum class FloatFormat { float32, float16, bfloat16 };

/// The consecutive values of one parameter, aligned for their type. The pointer owns the memory,
/// such as a mapped file; null after release.
struct ParameterValues {
  std::shared_ptr<const std::byte> bytes;
  FloatFormat type = FloatFormat::float32;
};

/// All parameters of a model, read-only, in float32, float16 or bfloat16, in memory or in a mapped
/// file. Movable. Any thread may read a parameter while no thread releases it.
class StoredParameters {
 public:
  /// The parameters of a model in memory.
  StoredParameters(Parameters&& parameters);

  /// `numbers` has one entry per parameter, in the order of parameter_list.
  StoredParameters(ParameterList list, std::vector<ParameterValues> numbers);

  /// Names and shapes, in the order of parameter_list.
  const std::vector<ParameterSpec>& specs() const { return list_.specs; }

  /// Indices into specs().
  const ParameterIndex& index() const { return list_.index; }

  std::size_t count() const;  ///< number of values in all parameters
  /// The type in which the parameter is stored.
  FloatFormat type(std::size_t parameter) const { return numbers_[parameter].type; }

  /// Sets to[i] to value `first` + i of the parameter, as float32.
  void copy(std::size_t parameter, std::size_t first, std::span<float> to) const;

  /// Returns all values of a parameter as float32: in place, or converted into `room`.
  std::span<const float> values(std::size_t parameter, AlignedVector<float>& room) const;

  /// Calls `use` with the values of a parameter in order, as float32, in pieces that fit in the
  /// cache.
  void for_each_piece(std::size_t parameter,
                      const std::function<void(std::span<const float>)>& use) const;

  /// Returns a copy of the parameter as float32 and releases the parameter.
  AlignedVector<float> take(std::size_t parameter);

  /// Packs a parameter [K, N] for products in `precision`, which the CPU must support, and releases
  /// it. Values that are not float32 are converted in `room`. Errors as PackedMatrix.
  PackedMatrix pack(std::size_t parameter, Precision precision, AlignedVector<float>& room);

  /// The memory for whatever is packed from these parameters. Any thread.
  WeightMemory& packed_memory() { return *packed_memory_; }

  /// Returns a mutable copy and releases each parameter once it is copied.
  Parameters to_parameters();

  /// Drops this parameter's reference to its memory, which is freed with the last reference.
  void release(std::size_t parameter) { numbers_[parameter].bytes.reset(); }

 private:
  ParameterList list_;
  std::vector<ParameterValues> numbers_;
  std::shared_ptr<WeightMemory> packed_memory_ = std::make_shared<WeightMemory>();
};

}  // namespace elmo

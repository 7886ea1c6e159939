// A model's parameters where they are stored, which is where they are packed from.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/kernels/gemm.h"
#include "core/kernels/precision.h"
#include "core/model/parameters.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// How a number is stored: IEEE 754, in this machine's byte order.
enum class StoredFloat { float32, float16, bfloat16 };

/// The numbers of one parameter, one after another, aligned for their type. The pointer keeps what
/// they lie in, such as a mapped file; null: they are gone.
struct StoredNumbers {
  std::shared_ptr<const std::byte> bytes;
  StoredFloat type = StoredFloat::float32;
};

/// All parameters of a model, read-only: float32 or half as wide, in memory or in a file that is
/// mapped. Movable. Any thread may read a parameter that none releases meanwhile.
class StoredParameters {
 public:
  /// Those of a model that has been trained, or made.
  StoredParameters(Parameters&& parameters);

  /// `numbers` has one entry for each parameter, in the order of parameter_list.
  StoredParameters(ParameterList list, std::vector<StoredNumbers> numbers);

  /// Names and shapes, in the order of parameter_list.
  const std::vector<ParameterSpec>& specs() const { return list_.specs; }

  /// Which of specs() is which.
  const ParameterIndex& index() const { return list_.index; }

  std::size_t count() const;  ///< numbers in all parameters

  /// to[i] = number `first` + i of the parameter, as float32.
  void copy(std::size_t parameter, std::size_t first, std::span<float> to) const;

  /// All numbers of a parameter as float32: where they lie, or, having been widened, in `room`.
  std::span<const float> values(std::size_t parameter, AlignedVector<float>& room) const;

  /// Calls `use` with the numbers of a parameter in their order, as float32, in pieces that stay in
  /// the cache.
  void for_each_piece(std::size_t parameter,
                      const std::function<void(std::span<const float>)>& use) const;

  /// A copy of the parameter as float32, which is then released.
  AlignedVector<float> take(std::size_t parameter);

  /// A parameter [K, N] packed for products in `precision`, which the CPU has to support; it is
  /// then released. Errors as PackedMatrix.
  PackedMatrix pack(std::size_t parameter, Precision precision);

  /// A copy that can be changed; each parameter is released once it is copied.
  Parameters to_parameters();

  /// Gives back the memory that the parameter lies in, where nothing else lies there.
  void release(std::size_t parameter) { numbers_[parameter].bytes.reset(); }

 private:
  ParameterList list_;
  std::vector<StoredNumbers> numbers_;
};

}  // namespace elmo

// The values in a pickle of tensors, and the effect of calling its names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elmo::torch {

/// Number types of a storage.
enum class Number { float32, float64 };

std::size_t bytes_of(Number number);

/// A name that a pickle may look up.
enum class Global {
  ordered_dictionary,  ///< collections.OrderedDict
  rebuild_tensor,      ///< torch._utils._rebuild_tensor: PyTorch before 0.4
  rebuild_tensor_v2,   ///< torch._utils._rebuild_tensor_v2
  float_storage,       ///< torch.FloatStorage, torch.cuda.FloatStorage
  double_storage       ///< torch.DoubleStorage, torch.cuda.DoubleStorage
};

/// A sequence of numbers elsewhere in the file.
struct StorageReference {
  std::string_view key;
  Number number = Number::float32;
  std::uint64_t count = 0;  ///< total count of numbers
};

/// Selects the numbers of a storage that form a tensor: the one at [i, j, …] is number offset + i ·
/// strides[0] + j · strides[1] + …, which is less than the storage's count.
struct TensorReference {
  StorageReference storage;
  std::uint64_t offset = 0;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> strides;

  std::uint64_t size() const;  ///< product of the shape
};

/// A value, by its index among the values of its pickle.
using ValueIndex = std::size_t;

/// A value that a pickle describes, of one of the kinds that PyTorch's files need.
struct Value {
  enum class Kind {
    none,
    boolean,
    integer,
    text,
    tuple,
    list,
    dictionary,
    global,
    storage,
    tensor
  };

  Kind kind = Kind::none;
  std::int64_t integer = 0;  ///< also for booleans: 0 or 1
  std::string_view text{};
  std::vector<ValueIndex> items{};  ///< elements of a tuple or list; keys and values, alternating
  Global global = Global::ordered_dictionary;
  StorageReference storage{};
  TensorReference tensor{};
};

/// One pickle; its texts are views of the bytes it was read from.
struct Pickle {
  std::vector<Value> values;
  ValueIndex root = 0;
  std::size_t bytes = 0;  ///< size of the pickle

  const Value& operator[](ValueIndex index) const { return values[index]; }
};

/// Returns the meaning of "module name"; nothing for a name that saved tensors do not need.
std::optional<Global> find_global(std::string_view module, std::string_view name);

/// Returns the result of calling `global` with the items of `arguments`: an empty ordered
/// dictionary, or a tensor. If the arguments are invalid, returns nothing and sets `problem`.
std::optional<Value> call(Global global, const Pickle& pickle, const Value& arguments,
                          std::string& problem);

/// Returns the storage of a persistent id: ('storage', class, key, location, count), in old files
/// followed by None. The location is ignored. For any other id, returns nothing and sets `problem`.
std::optional<Value> storage_of(const Pickle& pickle, const Value& id, std::string& problem);

}  // namespace elmo::torch

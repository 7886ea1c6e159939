// Reads the pickles in which PyTorch saves tensors, and no other pickles.
//
// A pickle is a program for a stack machine (Python's pickletools.py lists its opcodes). Python
// would look up a name and call it. This reader knows the names that saved tensors need, has its
// own implementation of each, and refuses any other: no code of the file is executed.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Reads the pickle (protocol 2, as PyTorch writes) at the beginning of `bytes`. The number of
/// values is limited to what tensors need. InputError, beginning with `name` and giving the byte,
/// for any other opcode or name, which it states, for truncated or damaged data, and for a tensor
/// that is not within its storage.
Pickle read_pickle(std::string_view bytes, const std::string& name);

}  // namespace elmo::torch

#include "io/model/torch_values.h"

#include <array>
#include <utility>

namespace elmo::torch {
namespace {

using Kind = Value::Kind;

constexpr std::size_t kMaxDimensions = 8;

struct Known {
  std::string_view module;
  std::string_view name;
  Global meaning;
};

constexpr std::array<Known, 7> kGlobals{
    {{"collections", "OrderedDict", Global::ordered_dictionary},
     {"torch._utils", "_rebuild_tensor", Global::rebuild_tensor},
     {"torch._utils", "_rebuild_tensor_v2", Global::rebuild_tensor_v2},
     {"torch", "FloatStorage", Global::float_storage},
     {"torch.cuda", "FloatStorage", Global::float_storage},
     {"torch", "DoubleStorage", Global::double_storage},
     {"torch.cuda", "DoubleStorage", Global::double_storage}}};

/// Returns the items of a tuple of non-negative whole numbers.
std::optional<std::vector<std::uint64_t>> sizes(const Pickle& pickle, const Value& tuple) {
  if (tuple.kind != Kind::tuple || tuple.items.size() > kMaxDimensions) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const ValueIndex item : tuple.items) {
    const Value& value = pickle[item];
    if (value.kind != Kind::integer || value.integer < 0) return std::nullopt;
    numbers.push_back(static_cast<std::uint64_t>(value.integer));
  }
  return numbers;
}

/// True if all numbers of the tensor are in its storage and their number does not exceed the
/// storage's.
bool lies_within(const TensorReference& tensor) {
  constexpr std::uint64_t kMax = std::uint64_t{1} << 48;
  std::uint64_t size = 1;
  for (const std::uint64_t extent : tensor.shape) {
    if (extent > kMax || (extent > 0 && size > kMax / extent)) return false;
    size *= extent;
  }
  if (size == 0) return tensor.offset <= tensor.storage.count;
  std::uint64_t last = tensor.offset;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    const std::uint64_t steps = tensor.shape[i] - 1;
    if (steps > 0 && tensor.strides[i] > kMax / steps) return false;
    last += steps * tensor.strides[i];
    if (last > kMax) return false;
  }
  return last < tensor.storage.count && size <= tensor.storage.count;
}

std::optional<Value> rebuild(const Pickle& pickle, const Value& arguments, std::size_t count,
                             std::string& problem) {
  problem = "the arguments of a tensor are not a storage, an offset, a shape and strides";
  if (arguments.items.size() != count) return std::nullopt;
  const Value& storage = pickle[arguments.items[0]];
  const Value& offset = pickle[arguments.items[1]];
  auto shape = sizes(pickle, pickle[arguments.items[2]]);
  auto strides = sizes(pickle, pickle[arguments.items[3]]);
  if (storage.kind != Kind::storage || offset.kind != Kind::integer || offset.integer < 0 ||
      !shape || !strides || shape->size() != strides->size()) {
    return std::nullopt;
  }
  TensorReference tensor{storage.storage, static_cast<std::uint64_t>(offset.integer),
                         *std::move(shape), *std::move(strides)};
  if (lies_within(tensor)) return Value{.kind = Kind::tensor, .tensor = std::move(tensor)};
  problem = "a tensor does not lie within the " + std::to_string(storage.storage.count) +
            " numbers of its storage";
  return std::nullopt;
}

}  // namespace

std::size_t bytes_of(Number number) { return number == Number::float32 ? 4 : 8; }

std::uint64_t TensorReference::size() const {
  std::uint64_t product = 1;
  for (const std::uint64_t extent : shape) product *= extent;
  return product;
}

std::optional<Global> find_global(std::string_view module, std::string_view name) {
  for (const Known& known : kGlobals) {
    if (known.module == module && known.name == name) return known.meaning;
  }
  return std::nullopt;
}

std::optional<Value> call(Global global, const Pickle& pickle, const Value& arguments,
                          std::string& problem) {
  // Storage, offset, shape, strides; version 2 adds requires_grad and an empty dictionary of hooks.
  if (global == Global::rebuild_tensor) return rebuild(pickle, arguments, 4, problem);
  if (global == Global::rebuild_tensor_v2) return rebuild(pickle, arguments, 6, problem);
  if (global == Global::ordered_dictionary && arguments.items.empty()) {
    return Value{.kind = Kind::dictionary};
  }
  problem = global == Global::ordered_dictionary ? "an ordered dictionary is made of something"
                                                 : "the class of a storage is called";
  return std::nullopt;
}

std::optional<Value> storage_of(const Pickle& pickle, const Value& id, std::string& problem) {
  problem = "a persistent id names no storage of float32 or float64";
  const auto item = [&](std::size_t i) -> const Value& { return pickle[id.items[i]]; };
  if (id.kind != Kind::tuple || id.items.size() < 5 || id.items.size() > 6 ||
      item(0).kind != Kind::text || item(0).text != "storage" || item(1).kind != Kind::global ||
      item(2).kind != Kind::text || item(4).kind != Kind::integer || item(4).integer < 0) {
    return std::nullopt;
  }
  StorageReference storage{item(2).text, Number::float32,
                           static_cast<std::uint64_t>(item(4).integer)};
  if (item(1).global == Global::double_storage) {
    storage.number = Number::float64;
  } else if (item(1).global != Global::float_storage) {
    return std::nullopt;
  }
  if (id.items.size() == 6 && item(5).kind != Kind::none) {
    problem = "a storage is a view of another one";
    return std::nullopt;
  }
  return Value{.kind = Kind::storage, .storage = storage};
}

}  // namespace elmo::torch

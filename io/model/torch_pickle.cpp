#include "io/model/torch_pickle.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/text/segment/utf8.h"

namespace elmo::torch {
namespace {

/// The opcodes in pickles of tensors; the names follow Python's.
enum class Opcode : std::uint8_t {
  protocol = 0x80,
  stop = '.',
  mark = '(',
  global = 'c',
  reduce = 'R',
  build = 'b',
  persistent_id = 'Q',
  none = 'N',
  yes = 0x88,
  no = 0x89,
  int4 = 'J',
  int1 = 'K',
  int2 = 'M',
  long1 = 0x8a,
  text = 'X',
  empty_tuple = ')',
  tuple = 't',
  tuple1 = 0x85,
  tuple2 = 0x86,
  tuple3 = 0x87,
  empty_list = ']',
  append = 'a',
  appends = 'e',
  empty_dictionary = '}',
  set_item = 's',
  set_items = 'u',
  put1 = 'q',
  put4 = 'r',
  get1 = 'h',
  get4 = 'j'
};

/// Opcodes that Python knows and this reader does not support.
constexpr std::array<std::pair<std::uint8_t, const char*>, 38> kOthers{
    {{'0', "POP"},           {'1', "POP_MARK"},
     {'2', "DUP"},           {'F', "FLOAT"},
     {'I', "INT"},           {'L', "LONG"},
     {'P', "PERSID"},        {'S', "STRING"},
     {'T', "BINSTRING"},     {'U', "SHORT_BINSTRING"},
     {'V', "UNICODE"},       {'G', "BINFLOAT"},
     {'B', "BINBYTES"},      {'C', "SHORT_BINBYTES"},
     {'d', "DICT"},          {'g', "GET"},
     {'i', "INST"},          {'l', "LIST"},
     {'o', "OBJ"},           {'p', "PUT"},
     {0x81, "NEWOBJ"},       {0x82, "EXT1"},
     {0x83, "EXT2"},         {0x84, "EXT4"},
     {0x8b, "LONG4"},        {0x8c, "SHORT_BINUNICODE"},
     {0x8d, "BINUNICODE8"},  {0x8e, "BINBYTES8"},
     {0x8f, "EMPTY_SET"},    {0x90, "ADDITEMS"},
     {0x91, "FROZENSET"},    {0x92, "NEWOBJ_EX"},
     {0x93, "STACK_GLOBAL"}, {0x94, "MEMOIZE"},
     {0x95, "FRAME"},        {0x96, "BYTEARRAY8"},
     {0x97, "NEXT_BUFFER"},  {0x98, "READONLY_BUFFER"}}};

/// Returns the name and byte of any opcode: "STACK_GLOBAL (0x93)".
std::string opcode_name(std::uint8_t byte) {
  const std::string number = formatted("0x%02x", byte);
  const auto* const found =
      std::ranges::find(kOthers, byte, [](const auto& other) { return other.first; });
  return found == kOthers.end() ? number : std::string(found->second) + " (" + number + ")";
}

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

/// Returns the meaning of "module name"; nothing for a name that saved tensors do not need.
std::optional<Global> find_global(std::string_view module, std::string_view name) {
  for (const Known& known : kGlobals) {
    if (known.module == module && known.name == name) return known.meaning;
  }
  return std::nullopt;
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

using Kind = Value::Kind;

/// Maximum number of opcodes; each makes at most one value. The largest known model takes 1,000.
constexpr std::size_t kMaxInstructions = std::size_t{1} << 18;

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Pickle read() {
    for (std::size_t count = 0; count < kMaxInstructions; ++count) {
      instruction_ = position_;
      const auto byte = static_cast<std::uint8_t>(take(1)[0]);
      if (count == 0 && byte != static_cast<std::uint8_t>(Opcode::protocol)) {
        refuse("no pickle of protocol 2 begins here");
      }
      if (static_cast<Opcode>(byte) == Opcode::stop) return end();
      execute(byte);
    }
    refuse("more than " + std::to_string(kMaxInstructions) + " instructions");
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(name_ + ": byte " + std::to_string(instruction_) + ": " + problem +
                     "; expected tensors as PyTorch saves them");
  }

  std::string_view take(std::size_t count) {
    if (bytes_.size() - position_ < count) refuse("the pickle is cut off");
    position_ += count;
    return bytes_.substr(position_ - count, count);
  }

  std::uint64_t number(std::size_t count) {
    std::uint64_t value = 0;
    const std::string_view digits = take(count);
    for (std::size_t i = count; i-- > 0;) {
      value = value << 8U | static_cast<unsigned char>(digits[i]);
    }
    return value;
  }

  std::string_view line() {
    constexpr std::size_t kLongest = 256;
    const std::size_t end = bytes_.substr(position_, kLongest).find('\n');
    if (end == std::string_view::npos) refuse("a name does not end");
    return take(end + 1).substr(0, end);
  }

  void push(Value value) {
    pickle_.values.push_back(std::move(value));
    stack_.push_back(pickle_.values.size() - 1);
  }

  void push(Kind kind, std::int64_t integer = 0) { push({.kind = kind, .integer = integer}); }

  /// Values below the last mark cannot be reached until the mark is removed.
  ValueIndex pop() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) refuse("the stack is empty");
    const ValueIndex index = stack_.back();
    stack_.pop_back();
    return index;
  }

  std::vector<ValueIndex> pop_to_mark() {
    if (marks_.empty()) refuse("there is no mark");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<ValueIndex> items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }

  std::vector<ValueIndex> pop(std::size_t count) {
    std::vector<ValueIndex> items;
    for (std::size_t i = 0; i < count; ++i) items.push_back(pop());
    std::reverse(items.begin(), items.end());
    return items;
  }

  void push_tuple(std::vector<ValueIndex> items) {
    push({.kind = Kind::tuple, .items = std::move(items)});
  }

  /// Returns the value on top of the stack without removing it.
  Value& top(Kind kind, const char* what) {
    const ValueIndex index = pop();
    stack_.push_back(index);
    if (pickle_.values[index].kind != kind) refuse(what);
    return pickle_.values[index];
  }

  void append(const std::vector<ValueIndex>& items) {
    Value& list = top(Kind::list, "something is appended to what is not a list");
    list.items.insert(list.items.end(), items.begin(), items.end());
  }

  void set(const std::vector<ValueIndex>& items) {
    if (items.size() % 2 != 0) refuse("a key has no value");
    Value& dictionary = top(Kind::dictionary, "an item is set in what is not a dictionary");
    dictionary.items.insert(dictionary.items.end(), items.begin(), items.end());
  }

  void push_global() {
    const std::string_view module = line();
    const std::string_view name = line();
    const std::optional<Global> meaning = find_global(module, name);
    if (!meaning) {
      refuse("the name " + excerpt(escaped_name(std::string(module) + "." + std::string(name))));
    }
    push({.kind = Kind::global, .global = *meaning});
  }

  void reduce() {
    const ValueIndex arguments = pop();
    const ValueIndex callee = pop();
    if (pickle_[callee].kind != Kind::global) refuse("something is called that is not a name");
    if (pickle_[arguments].kind != Kind::tuple) refuse("the arguments of a call are not a tuple");
    push(call(pickle_[callee].global, pickle_[arguments]));
  }

  /// Returns the result of calling `global` with the items of a tuple: an empty ordered dictionary,
  /// or a tensor.
  Value call(Global global, const Value& arguments) const {
    // Storage, offset, shape, strides; version 2 adds requires_grad and an empty dictionary of
    // hooks.
    if (global == Global::rebuild_tensor) return rebuilt_tensor(arguments, 4);
    if (global == Global::rebuild_tensor_v2) return rebuilt_tensor(arguments, 6);
    if (global != Global::ordered_dictionary) refuse("the class of a storage is called");
    if (!arguments.items.empty()) refuse("an ordered dictionary is made of something");
    return {.kind = Kind::dictionary};
  }

  Value rebuilt_tensor(const Value& arguments, std::size_t count) const {
    constexpr const char* kProblem =
        "the arguments of a tensor are not a storage, an offset, a shape and strides";
    if (arguments.items.size() != count) refuse(kProblem);
    const Value& storage = pickle_[arguments.items[0]];
    const Value& offset = pickle_[arguments.items[1]];
    auto shape = sizes(pickle_[arguments.items[2]]);
    auto strides = sizes(pickle_[arguments.items[3]]);
    if (storage.kind != Kind::storage || offset.kind != Kind::integer || offset.integer < 0 ||
        !shape || !strides || shape->size() != strides->size()) {
      refuse(kProblem);
    }
    TensorReference tensor{storage.storage, static_cast<std::uint64_t>(offset.integer),
                           *std::move(shape), *std::move(strides)};
    if (!lies_within(tensor)) {
      refuse("a tensor does not lie within the " + std::to_string(storage.storage.count) +
             " numbers of its storage");
    }
    return {.kind = Kind::tensor, .tensor = std::move(tensor)};
  }

  /// Returns the items of a tuple of non-negative whole numbers; nothing for any other value.
  std::optional<std::vector<std::uint64_t>> sizes(const Value& tuple) const {
    if (tuple.kind != Kind::tuple || tuple.items.size() > kMaxDimensions) return std::nullopt;
    std::vector<std::uint64_t> numbers;
    for (const ValueIndex item : tuple.items) {
      const Value& value = pickle_[item];
      if (value.kind != Kind::integer || value.integer < 0) return std::nullopt;
      numbers.push_back(static_cast<std::uint64_t>(value.integer));
    }
    return numbers;
  }

  /// Pushes the storage of a persistent id: ('storage', class, key, location, count), in old files
  /// followed by None. The location is ignored.
  void push_storage() {
    const Value& id = pickle_[pop()];
    const auto item = [&](std::size_t i) -> const Value& { return pickle_[id.items[i]]; };
    const bool names_storage =
        id.kind == Kind::tuple && (id.items.size() == 5 || id.items.size() == 6) &&
        item(0).kind == Kind::text && item(0).text == "storage" && item(1).kind == Kind::global &&
        (item(1).global == Global::float_storage || item(1).global == Global::double_storage) &&
        item(2).kind == Kind::text && item(4).kind == Kind::integer && item(4).integer >= 0;
    if (!names_storage) refuse("a persistent id names no storage of float32 or float64");
    if (id.items.size() == 6 && item(5).kind != Kind::none) {
      refuse("a storage is a view of another one");
    }
    const Number number =
        item(1).global == Global::float_storage ? Number::float32 : Number::float64;
    push({.kind = Kind::storage,
          .storage = {item(2).text, number, static_cast<std::uint64_t>(item(4).integer)}});
  }

  /// State set on a dictionary itself is its metadata: versions of the program's own classes.
  void build() {
    if (pickle_[pop()].kind != Kind::dictionary) refuse("a state is not a dictionary");
    top(Kind::dictionary, "a state is given to what is not a dictionary");
  }

  void push_long() {
    const std::size_t bytes = number(1);
    if (bytes > sizeof(std::int64_t)) refuse("a number has " + std::to_string(bytes) + " bytes");
    std::uint64_t value = number(bytes);
    const bool negative = bytes > 0 && (value >> (8 * bytes - 1) & 1U) != 0;
    if (negative && bytes < sizeof(value)) value |= ~std::uint64_t{0} << (8 * bytes);
    push(Kind::integer, static_cast<std::int64_t>(value));
  }

  void push_text() { push({.kind = Kind::text, .text = take(number(4))}); }

  void put(std::uint64_t slot) {
    const ValueIndex index = pop();
    stack_.push_back(index);
    memo_[slot] = index;
  }

  void get(std::uint64_t slot) {
    const auto found = memo_.find(slot);
    if (found == memo_.end()) refuse("nothing was put at " + std::to_string(slot));
    stack_.push_back(found->second);
  }

  Pickle end() {
    pickle_.root = pop();
    if (!stack_.empty() || !marks_.empty()) refuse("the pickle ends with more than one value");
    pickle_.bytes = position_;
    return std::move(pickle_);
  }

  void execute(std::uint8_t byte);

  std::string_view bytes_;
  const std::string& name_;
  std::size_t position_ = 0;
  std::size_t instruction_ = 0;
  Pickle pickle_;
  std::vector<ValueIndex> stack_;
  std::vector<std::size_t> marks_;  // sizes of the stack when they were set
  std::unordered_map<std::uint64_t, ValueIndex> memo_;
};

void Reader::execute(std::uint8_t byte) {
  switch (static_cast<Opcode>(byte)) {
    case Opcode::protocol:
      if (const std::uint64_t version = number(1); version != 2) {
        refuse("found protocol " + std::to_string(version) + " of pickles, not 2");
      }
      return;
    case Opcode::mark:
      return marks_.push_back(stack_.size());
    case Opcode::global:
      return push_global();
    case Opcode::reduce:
      return reduce();
    case Opcode::build:
      return build();
    case Opcode::persistent_id:
      return push_storage();
    case Opcode::none:
      return push(Kind::none);
    case Opcode::yes:
      return push(Kind::boolean, 1);
    case Opcode::no:
      return push(Kind::boolean, 0);
    case Opcode::int4:
      return push(Kind::integer, static_cast<std::int32_t>(number(4)));
    case Opcode::int1:
      return push(Kind::integer, static_cast<std::int64_t>(number(1)));
    case Opcode::int2:
      return push(Kind::integer, static_cast<std::int64_t>(number(2)));
    case Opcode::long1:
      return push_long();
    case Opcode::text:
      return push_text();
    case Opcode::empty_tuple:
      return push(Kind::tuple);
    case Opcode::tuple:
      return push_tuple(pop_to_mark());
    case Opcode::tuple1:
      return push_tuple(pop(1));
    case Opcode::tuple2:
      return push_tuple(pop(2));
    case Opcode::tuple3:
      return push_tuple(pop(3));
    case Opcode::empty_list:
      return push(Kind::list);
    case Opcode::append:
      return append(pop(1));
    case Opcode::appends:
      return append(pop_to_mark());
    case Opcode::empty_dictionary:
      return push(Kind::dictionary);
    case Opcode::set_item:
      return set(pop(2));
    case Opcode::set_items:
      return set(pop_to_mark());
    case Opcode::put1:
      return put(number(1));
    case Opcode::put4:
      return put(number(4));
    case Opcode::get1:
      return get(number(1));
    case Opcode::get4:
      return get(number(4));
    case Opcode::stop:
      break;
  }
  refuse("the instruction " + opcode_name(byte));
}

}  // namespace

std::size_t bytes_of(Number number) { return number == Number::float32 ? 4 : 8; }

std::uint64_t TensorReference::size() const {
  std::uint64_t product = 1;
  for (const std::uint64_t extent : shape) product *= extent;
  return product;
}

Pickle read_pickle(std::string_view bytes, const std::string& name) {
  return Reader(bytes, name).read();
}

}  // namespace elmo::torch

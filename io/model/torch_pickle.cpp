#include "io/model/torch_pickle.h"

#include <algorithm>
#include <array>
#include <cstdio>
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
  std::array<char, 8> number{};
  std::snprintf(number.data(), number.size(), "0x%02x", byte);
  const auto* const found = std::find_if(kOthers.begin(), kOthers.end(),
                                         [&](const auto& it) { return it.first == byte; });
  if (found == kOthers.end()) return number.data();
  return std::string(found->second) + " (" + number.data() + ")";
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
    std::string problem;
    std::optional<Value> made = call(pickle_[callee].global, pickle_, pickle_[arguments], problem);
    if (!made) refuse(problem);
    push(*std::move(made));
  }

  void push_storage() {
    std::string problem;
    std::optional<Value> storage = storage_of(pickle_, pickle_[pop()], problem);
    if (!storage) refuse(problem);
    push(*std::move(storage));
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

Pickle read_pickle(std::string_view bytes, const std::string& name) {
  return Reader(bytes, name).read();
}

}  // namespace elmo::torch

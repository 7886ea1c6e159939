// CSV and JSON arrays as lines.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/labeled/example_file.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Base of sources that convert the bytes of another one.
class ConvertedBytes : public ByteSource {
 public:
  explicit ConvertedBytes(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {}

  std::size_t read(char* data, std::size_t size) final {
    while (begin_ == ready_.size()) {
      ready_.clear();
      begin_ = 0;
      std::array<char, std::size_t{64} << 10> block{};
      const std::size_t count = bytes_->read(block.data(), block.size());
      if (count > 0) {
        take({block.data(), count});
        continue;
      }
      end();
      if (ready_.empty()) return 0;
    }
    const std::size_t count = std::min(size, ready_.size() - begin_);
    std::memcpy(data, ready_.data() + begin_, count);
    begin_ += count;
    return count;
  }

  bool would_wait() const final { return begin_ == ready_.size() && bytes_->would_wait(); }

 protected:
  /// Converts the next bytes.
  virtual void take(std::string_view bytes) = 0;
  /// Adds what was held back. Called at the end, perhaps repeatedly. InputError for a record that
  /// does not end.
  virtual void end() = 0;

  void add(char byte) { ready_ += byte; }
  void add(std::string_view bytes) { ready_ += bytes; }

 private:
  std::unique_ptr<ByteSource> bytes_;
  std::string ready_;  // converted bytes
  std::size_t begin_ = 0;
};

class CsvLines final : public ConvertedBytes {
 public:
  using ConvertedBytes::ConvertedBytes;

 private:
  enum class State { at_begin, plain, quoted, after_quote };

  void take(std::string_view bytes) override {
    for (const char byte : bytes) take(byte);
  }

  void take(char byte) {
    switch (state_) {
      case State::quoted:
        if (byte == '"') {
          state_ = State::after_quote;
        } else {
          add_to_field(byte);
        }
        return;
      case State::after_quote:
        state_ = byte == '"' ? State::quoted : State::plain;
        break;
      case State::at_begin:
        if (byte == '"') {
          state_ = State::quoted;
          opening_line_ = line_;
          return;
        }
        // A byte order mark is before the first field.
        if (kByteOrderMark.find(byte) == std::string_view::npos) state_ = State::plain;
        break;
      case State::plain:
        break;
    }
    take_unquoted(byte);
  }

  void take_unquoted(char byte) {
    if (separator_ == '\0' && (byte == ',' || byte == ';' || byte == '\t')) separator_ = byte;
    if (byte == '\n') {
      for (++line_; written_lines_ < line_ - 1; ++written_lines_) add('\n');
      state_ = State::at_begin;
    } else if (byte == separator_) {
      add('\t');
      state_ = State::at_begin;
    } else {
      add_to_field(byte);
    }
  }

  void add_to_field(char byte) {
    if (byte == '\n') ++line_;
    const bool breaks = byte == '\n' || (byte == '\r' && state_ == State::quoted);
    add(breaks || byte == '\t' ? ' ' : byte);
  }

  void end() override {
    if (state_ != State::quoted) return;
    throw InputError("line " + std::to_string(opening_line_) +
                     ": found a quotation mark at the beginning of a field, but no other one "
                     "after it; expected quotation marks in pairs");
  }

  State state_ = State::at_begin;  // of a field
  char separator_ = '\0';          // not known yet
  std::uint64_t line_ = 1;         // line of the next byte
  std::uint64_t written_lines_ = 0;
  std::uint64_t opening_line_ = 0;  // line of the last opening quotation mark
};

class ArrayLines final : public ConvertedBytes {
 public:
  using ConvertedBytes::ConvertedBytes;

 private:
  enum class State { unknown, unchanged, between, inside };

  void take(std::string_view bytes) override {
    if (state_ == State::unknown) {
      head_ += bytes;
      if (!decide()) return;
      const std::string head = std::exchange(head_, {});
      return take(head);
    }
    for (const char byte : bytes) {
      if (state_ == State::unchanged) {
        add(byte);
      } else if (state_ == State::between) {
        take_between(byte);
      } else {
        take_inside(byte);
      }
      if (byte == '\n') ++line_;
    }
  }

  void end() override {
    add(std::exchange(head_, {}));
    if (state_ == State::unknown || state_ == State::unchanged) return;
    throw InputError("line " + std::to_string(line_) +
                     ": found the end of the file inside of an array of records; expected ]");
  }

  /// Finds out whether head_ begins an array of objects. Returns false if it is too short to know.
  bool decide() {
    constexpr std::size_t kMaxHead = std::size_t{64} << 10;
    std::string_view rest = head_;
    if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
    state_ = State::unchanged;
    for (const std::string_view expected : {"[", "{", "\"}"}) {
      const std::size_t next = std::min(rest.find_first_not_of(kJsonBlanks), rest.size());
      rest.remove_prefix(next);
      if (rest.empty() && head_.size() < kMaxHead) {
        state_ = State::unknown;
        return false;
      }
      if (rest.empty() || expected.find(rest.front()) == std::string_view::npos) return true;
      rest.remove_prefix(1);
    }
    state_ = State::between;
    return true;
  }

  /// Takes a byte outside of the objects: a bracket of the array, a comma or a blank.
  void take_between(char byte) {
    if (kJsonBlanks.find(byte) != std::string_view::npos) return;
    if (kByteOrderMark.find(byte) != std::string_view::npos && former_ == '\0') return;
    const bool begins = former_ == '[' || former_ == ',';
    if (byte == '{' && begins) {
      for (; written_lines_ + 1 < line_; ++written_lines_) add('\n');
      state_ = State::inside;
      return take_inside(byte);
    }
    if (byte == ']' && former_ == '}') {
      state_ = State::unchanged;
    } else if (!(byte == '[' && former_ == '\0') && !(byte == ',' && former_ == '}')) {
      const std::string found =
          ascii_json_text(std::string(1, byte)) + " after " + former_ + " in an array of records";
      throw InputError("line " + std::to_string(line_) + ": found " + found + "; expected " +
                       (begins ? "a record" : "a comma or ]"));
    }
    former_ = byte;
  }

  void take_inside(char byte) {
    add(byte == '\n' || byte == '\r' ? ' ' : byte);
    nesting_.take(byte);
    if (nesting_.is_open()) return;
    add('\n');
    ++written_lines_;
    state_ = State::between;
    former_ = byte;
  }

  State state_ = State::unknown;
  std::string head_;        // bytes read before the state was known
  char former_ = '\0';      // the last bracket or comma outside of the objects
  std::uint64_t line_ = 1;  // line of the next byte
  std::uint64_t written_lines_ = 0;
  JsonNesting nesting_;  // of the current object
};

}  // namespace

std::unique_ptr<ByteSource> lines_of_csv(std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<CsvLines>(std::move(bytes));
}

std::unique_ptr<ByteSource> lines_of_array(std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<ArrayLines>(std::move(bytes));
}

}  // namespace elmo

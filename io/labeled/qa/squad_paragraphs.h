// The paragraphs of a file of SQuAD, one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "io/text/bytes/byte_window.h"

namespace elmo {

/// Goes through {"data": [{"paragraphs": [PARAGRAPH, …]}, …]} without having all of it in memory.
/// Other members may hold anything. One thread.
class SquadParagraphs {
 public:
  /// `window` outlives this and begins with the object.
  explicit SquadParagraphs(ByteWindow& window) : window_(window) {}

  /// Replaces `json` by the text of the next paragraph, whose own JSON is not looked at, and `line`
  /// by the line where it begins; false at the end. InputError, naming the line but not the file,
  /// where the file is not of this form, or a paragraph has more than kMaxRecordBytes.
  bool next(std::string& json, std::uint64_t& line);

 private:
  // What next() is in.
  enum class Level : std::size_t { file, document, data, article, paragraphs, end };

  int peek();
  char take(std::string* to = nullptr);
  void skip_white_space();
  void expect(char byte);
  bool has_more(char closing);
  std::string key();
  void value(std::string* to);
  void string(std::string* to);
  void enter(Level level, char opening);
  [[noreturn]] void refuse(const std::string& expected);

  ByteWindow& window_;
  std::uint64_t line_ = 1;
  Level level_ = Level::file;
  std::array<bool, 6> is_first_{};  // by level: none of its members has been read
  bool has_data_ = false;
};

}  // namespace elmo

// Reads the paragraphs of a SQuAD file one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "io/text/bytes/byte_window.h"

namespace elmo {

/// Iterates over {"data": [{"paragraphs": [PARAGRAPH, …]}, …]} without holding all of it in memory.
/// Other members may hold anything. One thread.
class SquadParagraphs {
 public:
  /// `window` must outlive this object and begin with the JSON object.
  explicit SquadParagraphs(ByteWindow& window) : window_(window) {}

  /// Replaces `json` by the text of the next paragraph, without parsing it, and `line` by the line
  /// where it begins. Returns false at the end. InputError, naming the line but not the file, if
  /// the file does not have this form, or a paragraph has more than kMaxRecordBytes.
  bool next(std::string& json, std::uint64_t& line);

 private:
  // Position of next() in the nested structure.
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
  std::array<bool, 6> is_first_{};  // by level: no member has been read yet
  bool has_data_ = false;
};

}  // namespace elmo

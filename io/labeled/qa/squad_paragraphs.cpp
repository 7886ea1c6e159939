#include "io/labeled/qa/squad_paragraphs.h"

#include <string_view>

#include "core/error.h"
#include "io/json/json_text.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

// The next byte, without consuming it; negative at the end.
int SquadParagraphs::peek() {
  if (window_.view().empty() && !window_.fill(1)) return -1;
  return static_cast<unsigned char>(window_.view().front());
}

// Consumes the next byte, which must exist, and appends it to `to` if given.
char SquadParagraphs::take(std::string* to) {
  if (peek() < 0) refuse("the rest");
  const char byte = window_.view().front();
  window_.consume(1);
  if (byte == '\n') ++line_;
  if (to == nullptr) return byte;
  if (to->size() == kMaxRecordBytes) {
    throw InputError("line " + std::to_string(line_) + ": found a paragraph of more than " +
                     std::to_string(kMaxRecordBytes) + " bytes; expected smaller ones");
  }
  *to += byte;
  return byte;
}

void SquadParagraphs::skip_white_space() {
  for (int byte = peek(); byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
       byte = peek()) {
    take();
  }
}

void SquadParagraphs::expect(char byte) {
  skip_white_space();
  if (peek() != byte) refuse(std::string("'") + byte + "'");
  take();
}

void SquadParagraphs::refuse(const std::string& expected) {
  const int byte = peek();
  const std::string found =
      byte < 0 ? "the end" : ascii_json_text(std::string(1, static_cast<char>(byte)));
  throw InputError("line " + std::to_string(line_) + ": found " + found + "; expected " + expected +
                   " of SQuAD's JSON, {\"data\": [{\"paragraphs\": [{\"context\", \"qas\"}]}]}");
}

// True if another member or element follows; otherwise consumes the closing bracket.
bool SquadParagraphs::has_more(char closing) {
  bool& is_first = is_first_[static_cast<std::size_t>(level_)];
  skip_white_space();
  if (peek() == closing) {
    take();
    return false;
  }
  if (!is_first) expect(',');
  is_first = false;
  skip_white_space();
  return true;
}

std::string SquadParagraphs::key() {
  skip_white_space();
  if (peek() != '"') refuse("a key");
  std::string name;
  string(&name);
  expect(':');
  return name;
}

// Reads a string as written, including quotation marks.
void SquadParagraphs::string(std::string* to) {
  take(to);
  bool escaped = false;
  for (;;) {
    const char byte = take(to);
    if (byte == '"' && !escaped) return;
    escaped = byte == '\\' && !escaped;
  }
}

// Reads one value with balanced brackets, without checking that it is valid JSON.
void SquadParagraphs::value(std::string* to) {
  skip_white_space();
  constexpr std::string_view kEndOfScalar = ",]} \t\r\n";
  std::size_t depth = 0;
  do {
    const int byte = peek();
    if (byte == '"') {
      string(to);
      continue;
    }
    if (depth == 0 && (byte < 0 || kEndOfScalar.find(static_cast<char>(byte)) < 3)) {
      refuse("a value");
    }
    if (byte == '{' || byte == '[') ++depth;
    if (byte == '}' || byte == ']') --depth;
    take(to);
    // The rest of a number or a word.
    const bool scalar = depth == 0 && byte != '}' && byte != ']';
    while (scalar && peek() >= 0 &&
           kEndOfScalar.find(static_cast<char>(peek())) == std::string_view::npos) {
      take(to);
    }
  } while (depth > 0);
}

void SquadParagraphs::enter(Level level, char opening) {
  expect(opening);
  level_ = level;
  is_first_[static_cast<std::size_t>(level)] = true;
}

bool SquadParagraphs::next(std::string& json, std::uint64_t& line) {
  for (;;) {
    switch (level_) {
      case Level::file:
        enter(Level::document, '{');
        break;
      case Level::document:
        if (!has_more('}')) {
          if (!has_data_) refuse("a member \"data\"");
          skip_white_space();
          if (peek() >= 0) refuse("the end");
          level_ = Level::end;
        } else if (key() == "\"data\"") {
          has_data_ = true;
          enter(Level::data, '[');
        } else {
          value(nullptr);
        }
        break;
      case Level::data:
        if (has_more(']')) {
          enter(Level::article, '{');
        } else {
          level_ = Level::document;
        }
        break;
      case Level::article:
        if (!has_more('}')) {
          level_ = Level::data;
        } else if (key() == "\"paragraphs\"") {
          enter(Level::paragraphs, '[');
        } else {
          value(nullptr);
        }
        break;
      case Level::paragraphs:
        if (has_more(']')) {
          line = line_;
          json.clear();
          value(&json);
          return true;
        }
        level_ = Level::article;
        break;
      case Level::end:
        return false;
    }
  }
}

}  // namespace elmo

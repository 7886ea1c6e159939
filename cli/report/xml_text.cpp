#include "cli/report/xml_text.h"

#include "cli/numbers/human.h"

namespace elmo {
namespace {

bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f';
}

/// Returns whether `text` begins with U+FFFE or U+FFFF.
bool begins_with_noncharacter(std::string_view text) {
  return text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf");
}

std::string escaped_bytes(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += formatted("\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
  }
  return text;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string xml;
  while (!text.empty()) {
    std::size_t size = 1;
    if (begins_with_noncharacter(text)) {
      size = 3;
      xml += escaped_bytes(text.substr(0, size));
    } else if (is_control(text[0])) {
      xml += escaped_bytes(text.substr(0, size));
    } else if (text[0] == '&') {
      xml += "&amp;";
    } else if (text[0] == '<') {
      xml += "&lt;";
    } else if (text[0] == '>') {
      xml += "&gt;";
    } else {
      xml += text[0];
    }
    text.remove_prefix(size);
  }
  return xml;
}

}  // namespace elmo

#include "io/model/many_langs/dictionary.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_map>

#include "core/error.h"
#include "io/text/segment/escaped_name.h"
#include "io/text/segment/utf8.h"
#include "io/text/segment/white_space.h"

namespace elmo {
namespace {

constexpr std::string_view kIdeographicSpace = "\xe3\x80\x80";

class Refusal {
 public:
  Refusal(const std::string& name, std::size_t line) : name_(name), line_(line) {}

  [[noreturn]] void operator()(const std::string& found, const std::string& expected) const {
    throw InputError(name_ + ":" + std::to_string(line_) + ": " + found + "; expected " + expected);
  }

 private:
  const std::string& name_;
  std::size_t line_;
};

struct Entry {
  std::string_view key;
  std::uint64_t row = 0;
};

Entry parse_line(std::string_view line, const Refusal& refuse) {
  line = without_outer_white_space(line);
  const std::size_t tab = line.find('\t');
  // A line "KEY TAB ROW" whose key is white space has only the row left.
  Entry entry{tab == std::string_view::npos ? kIdeographicSpace : line.substr(0, tab)};
  const std::string_view digits = tab == std::string_view::npos ? line : line.substr(tab + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), entry.row);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) {
    refuse("holds " + escaped_name(line.substr(0, 80)), "a key, a tab and the number of a row");
  }
  return entry;
}

}  // namespace

std::vector<std::string> parse_dictionary(std::string_view text, const std::string& name) {
  RepairedText repaired;
  repaired.assign(text);
  if (const std::size_t place = repaired.first_repair(); place != RepairedText::npos) {
    throw InputError(name + ": byte " + std::to_string(place) +
                     " is no UTF-8; expected a dictionary in UTF-8");
  }
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) +
                     (text.empty() || text.back() == '\n' ? 0 : 1);
  std::vector<std::string> keys(lines);
  std::vector<std::size_t> line_of_row(lines, 0);
  std::unordered_map<std::string_view, std::size_t> line_of_key;
  line_of_key.reserve(lines);
  for (std::size_t line = 1; line <= lines; ++line) {
    const Refusal refuse(name, line);
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Entry entry = parse_line(text.substr(0, end), refuse);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (entry.row >= lines) {
      refuse("row " + std::to_string(entry.row) + " of " + std::to_string(lines) + " entries",
             "rows from 0 to " + std::to_string(lines - 1));
    }
    if (const auto [key, is_new] = line_of_key.emplace(entry.key, line); !is_new) {
      refuse("the key of line " + std::to_string(key->second) + " again", "each key once");
    }
    if (line_of_row[entry.row] != 0) {
      refuse("the row of line " + std::to_string(line_of_row[entry.row]) + " again",
             "each row once");
    }
    line_of_row[entry.row] = line;
    keys[entry.row] = entry.key;
  }
  return keys;
}

}  // namespace elmo

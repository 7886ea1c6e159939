#include "cli/neighbors/map_page.h"

#include <cstdint>
#include <map>

#include "cli/common/chart.h"
#include "core/human.h"
#include "core/text.h"
#include "io/json/json.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Returns whether a page may show a code point as it is: it is no control character, no
/// noncharacter, and does not embed or override a direction of writing.
bool is_shown(std::int32_t code_point) {
  if (code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0)) return false;
  if ((code_point & 0xfffe) == 0xfffe || (code_point >= 0xfdd0 && code_point <= 0xfdef)) {
    return false;
  }
  return !(code_point >= 0x2028 && code_point <= 0x202e) &&
         !(code_point >= 0x2066 && code_point <= 0x2069);
}

/// Returns valid UTF-8 of characters that a page may show.
std::string shown(std::string_view text) {
  std::string result;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t begin = position;
    const std::int32_t code_point = next_code_point(text, position);
    result += is_shown(code_point) ? text.substr(begin, position - begin) : kReplacement;
  }
  return result;
}

template <typename Values, typename Text>
std::string json_list(const Values& values, const Text& text) {
  return '[' + joined(values, ",", text) + ']';
}

std::string shown_json(const std::string& text) { return json_text(shown(text)); }

/// Six digits are more than a screen has pixels.
std::string coordinate(double value) { return formatted("%.6g", value); }

std::string data_of(const WordMap& map) {
  std::vector<std::string> files;
  std::map<std::string, std::size_t> file_numbers;
  for (const MapPoint& point : map.points) {
    if (file_numbers.try_emplace(point.file, files.size()).second) files.push_back(point.file);
  }
  const auto column = [&](const char* name, const auto& text) {
    return std::string("\n\"") + name + "\":" + json_list(map.points, text) + ',';
  };
  std::string json =
      "{\"query\":" + shown_json(map.word) + ",\"layer\":" + shown_json(map.layer) +
      ",\"occurrences\":" + json_number(map.occurrences) + ",\"seed\":" + json_number(map.seed) +
      ",\"labeled\":" + (map.labeled ? "true" : "false") +
      ",\"shares\":" + json_list(map.shares, coordinate) + ',' +
      column("x", [](const MapPoint& point) { return coordinate(point.x); }) +
      column("y", [](const MapPoint& point) { return coordinate(point.y); }) +
      column("group", [](const MapPoint& point) { return json_number(point.group); }) +
      column("file",
             [&](const MapPoint& point) { return json_number(file_numbers.at(point.file)); }) +
      column("line", [](const MapPoint& point) { return json_number(point.line); }) +
      column("before", [](const MapPoint& point) { return shown_json(point.before); }) +
      column("word", [](const MapPoint& point) { return shown_json(point.word); }) +
      column("after", [](const MapPoint& point) { return shown_json(point.after); }) +
      "\n\"groups\":" + json_list(map.groups, shown_json) +
      ",\n\"files\":" + json_list(files, shown_json) + '}';
  // Only strings have this character. A script ends at "</script".
  std::string escaped;
  for (const char letter : json) {
    if (letter == '<') {
      escaped += "\\u003c";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

std::string title_of(const WordMap& map) {
  return shown(map.word) + ": " + human_count(map.points.size()) + " occurrences in context";
}

std::string summary_of(const WordMap& map) {
  const std::string which = map.points.size() == map.occurrences
                                ? "All " + human_count(map.occurrences)
                                : "A random sample (seed " + std::to_string(map.seed) +
                                      ") of the " + human_count(map.occurrences);
  return which + " occurrences of “" + shown(map.word) +
         "” in the corpus, in upper and lower case, by their vectors in layer " + shown(map.layer) +
         ". Near points have similar contexts. Colors and shapes show " +
         (map.labeled ? "labels." : "documents.");
}

}  // namespace

std::string map_page(const WordMap& map) {
  const std::map<std::string_view, std::string> values = {{"title", xml_text(title_of(map))},
                                                          {"summary", xml_text(summary_of(map))},
                                                          {"data", data_of(map)}};
  std::string page;
  std::string_view rest = kMapTemplate;
  for (std::size_t begin = rest.find("{{"); begin != rest.npos; begin = rest.find("{{")) {
    const std::size_t end = rest.find("}}", begin);
    page += rest.substr(0, begin);
    page += values.at(rest.substr(begin + 2, end - begin - 2));
    rest.remove_prefix(end + 2);
  }
  return page.append(rest);
}

}  // namespace elmo

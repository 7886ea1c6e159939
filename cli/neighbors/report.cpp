#include "cli/neighbors/report.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

#include "cli/common/chart.h"
#include "core/text.h"
#include "io/json/json.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

// Maximum number of tokens shown on each side of a word.
constexpr std::size_t kAround = 9;

std::string around(const NeighborAnswer::Occurrence& found) {
  const Sentence& sentence = found.sentence;
  const std::size_t begin = found.token > kAround ? found.token - kAround : 0;
  const std::size_t end = std::min(sentence.size(), found.token + kAround + 1);
  std::string text = begin > 0 ? "… " : "";
  for (std::size_t token = begin; token < end; ++token) {
    if (token > begin) text += ' ';
    const std::string word(sentence.token(token));
    text += token == found.token ? '[' + word + ']' : word;
  }
  return text + (end < sentence.size() ? " …" : "");
}

template <typename Number>
std::string occurrence_json(Number similarity, const std::string& word, const std::string& file,
                            std::uint64_t line, const std::string& sentence) {
  return R"({"similarity": )" + json_number(similarity) + R"(, "word": )" + json_text(word) +
         R"(, "file": )" + json_text(file) + R"(, "line": )" + json_number(line) +
         R"(, "sentence": )" + json_text(sentence) + '}';
}

}  // namespace

std::string neighbors_json(const BracketedQuery& query, const std::string& layer,
                           const NeighborAnswer& answer) {
  std::string json = R"({"query": )" +
                     json_text(bracketed_text(query.sentence, query.begin, query.end)) +
                     R"(, "word": )" + json_text(query.sentence.text(query.begin, query.end)) +
                     R"(, "layer": )" + json_text(layer) + R"(, "neighbors": [)";
  json += joined(answer.occurrences, ", ", [](const NeighborAnswer::Occurrence& found) {
    return occurrence_json(found.similarity, found.word, found.file, found.line,
                           bracketed_text(found.sentence, found.token, found.token + 1));
  });
  json += R"(], "without_context": )";
  if (!answer.words) return json + "null}\n";
  json += '[';
  for (const NeighborAnswer::Word& found : *answer.words) {
    if (&found != answer.words->data()) json += ", ";
    json += R"({"similarity": )" + json_number(found.similarity) + R"(, "word": )" +
            json_text(found.word) + '}';
  }
  return json + "]}\n";
}

std::string neighbors_text(const BracketedQuery& query, const NeighborAnswer& answer) {
  std::string text = bracketed_text(query.sentence, query.begin, query.end) + '\n';
  for (const NeighborAnswer::Occurrence& found : answer.occurrences) {
    text += formatted("  %.3f  ", static_cast<double>(found.similarity)) + around(found) + "  (" +
            found.file + ", line " + std::to_string(found.line) + ")\n";
  }
  if (!answer.words) return printable_text(text);
  text += "  without context:";
  for (const NeighborAnswer::Word& found : *answer.words) {
    text += (&found == answer.words->data() ? " " : ", ") + found.word +
            formatted(" %.3f", static_cast<double>(found.similarity));
  }
  return printable_text(text + '\n');
}

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

/// Six digits are finer than a screen's pixels.
std::string coordinate(double value) { return formatted("%.6g", value); }

/// Returns what a group of points is, on the page.
std::string group_kind(const WordMap& map) {
  if (!map.clusters.empty()) return "cluster";
  return map.labeled ? "label" : "document";
}

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
      ",\"labeled\":" + (map.labeled ? "true" : "false") + ",\"kind\":\"" + group_kind(map) + '"' +
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
  // Only strings contain this character. "</script" would end the script.
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
         ". Near points have similar contexts. Colors and shapes show " + group_kind(map) + "s.";
}

std::string sentence_of(const MapPoint& point) {
  return point.before + (point.before.empty() ? "[" : " [") + point.word +
         (point.after.empty() ? "]" : "] ") + point.after;
}

}  // namespace

std::string clusters_json(const WordMap& map) {
  std::string json;
  for (std::size_t number = 0; number < map.clusters.size(); ++number) {
    const MapCluster& cluster = map.clusters[number];
    json += R"({"word": )" + json_text(map.word) + R"(, "layer": )" + json_text(map.layer) +
            R"(, "cluster": )" + json_number(number + 1) + R"(, "size": )" +
            json_number(cluster.size) + R"(, "sentences": [)" +
            joined(cluster.central, ", ",
                   [&](const MapCluster::Occurrence& found) {
                     const MapPoint& point = map.points[found.point];
                     return occurrence_json(found.similarity, point.word, point.file, point.line,
                                            sentence_of(point));
                   }) +
            "]}\n";
  }
  return json;
}

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

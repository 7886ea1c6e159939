#include "io/text/input/odd_content.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "io/foreign_content.h"
#include "io/json/json_fields.h"
#include "io/text/bytes/decompression.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/formats/readers.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

using Lines = std::vector<std::string_view>;

/// Returns the first lines of a text that are not blank.
Lines first_lines(std::string_view head) {
  constexpr std::size_t kMaxLines = 8;
  Lines lines;
  while (!head.empty() && lines.size() < kMaxLines) {
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    if (!is_blank_line(line)) lines.push_back(without_outer_blanks(line));
  }
  return lines;
}

/// True for the times of a subtitle: 00:01:02,500 --> 00:01:04,000.
bool is_time_line(std::string_view line) {
  constexpr std::string_view kArrow = " --> ";
  const std::size_t arrow = line.find(kArrow);
  if (arrow == std::string_view::npos) return false;
  const auto is_time = [](std::string_view text) {
    return text.find(':') != std::string_view::npos &&
           text.find_first_not_of("0123456789:,.") == std::string_view::npos;
  };
  const std::string_view end = line.substr(arrow + kArrow.size());
  return is_time(line.substr(0, arrow)) && is_time(end.substr(0, end.find(' ')));
}

bool are_subtitles(const Lines& lines) {
  constexpr std::size_t kLookedAt = 3;
  if (lines.empty()) return false;
  return lines[0].starts_with("WEBVTT") || lines[0] == "[Script Info]" ||
         std::ranges::any_of(std::span(lines).first(std::min(kLookedAt, lines.size())),
                             is_time_line);
}

/// True for a header of a message (RFC 5322) or of news: `Subject: Hello`.
bool is_mail_header(std::string_view line) {
  constexpr std::array<std::string_view, 20> kNames{
      "bcc",          "cc",          "content-type", "date",         "delivered-to",
      "from",         "in-reply-to", "message-id",   "mime-version", "newsgroups",
      "organization", "path",        "received",     "references",   "reply-to",
      "return-path",  "sender",      "subject",      "to",           "x-mozilla-status"};
  const std::size_t colon = line.find(": ");
  return colon != std::string_view::npos &&
         std::ranges::find(kNames, lower_case(line.substr(0, colon))) != kNames.end();
}

bool is_mail(const Lines& lines) {
  if (lines.size() > 2 && lines[0].starts_with("From ")) {  // mbox
    return is_mail_header(lines[1]) || is_mail_header(lines[2]);
  }
  return lines.size() > 1 && is_mail_header(lines[0]) && is_mail_header(lines[1]);
}

/// True for what WikiExtractor and its like write: <doc id="12" url="…" title="Anarchism">.
bool is_extracted_wikipedia(const Lines& lines) {
  return !lines.empty() && lines[0].starts_with("<doc id=\"") && lines[0].ends_with('>');
}

/// True for XML without a declaration, whose first tag names its schema.
bool is_xml(const Lines& lines) {
  return !lines.empty() && lines[0].starts_with('<') &&
         lines[0].substr(0, lines[0].find('>')).find(" xmlns") != std::string_view::npos;
}

struct ForeignText {
  bool (*is)(const Lines& lines);
  const char* name;
};

constexpr std::array kForeignTexts = {
    ForeignText{are_subtitles, "a file of subtitles (take the text out of it)"},
    ForeignText{is_mail, "mail (take the messages out of it)"},
    ForeignText{is_extracted_wikipedia,
                "text extracted from Wikipedia (drop the lines that begin with <doc or </doc)"},
    ForeignText{is_xml, "an XML document (take the text out of it)"}};

/// Says what a text is beside plain text, as foreign_content() does.
std::string foreign_text(std::string_view head, std::string_view name) {
  if (begins_with_vertical(head)) return {};
  const Lines lines = first_lines(head);
  const bool is_object = !lines.empty() && lines[0].starts_with('{');
  if (name.ends_with(".ipynb") ||
      (is_object && head.find("\"cell_type\"") != std::string_view::npos)) {
    return " is a Jupyter notebook (convert it to Markdown with nbconvert)";
  }
  const auto* const found = std::ranges::find_if(
      kForeignTexts, [&lines](const ForeignText& foreign) { return foreign.is(lines); });
  return found == kForeignTexts.end() ? "" : std::string(" is ") + found->name;
}

/// True if a text begins with a line that is a JSON object, or with an object or a list of objects
/// that extends over several lines.
bool begins_with_json(std::string_view head) {
  const auto skip = [&head](std::string_view bytes) {
    head.remove_prefix(std::min(head.find_first_not_of(bytes), head.size()));
  };
  constexpr std::string_view kBlanks = " \t\r\n";
  skip(kBlanks);
  const std::string_view line = head.substr(0, head.find('\n'));
  if (line.size() < head.size() && line.starts_with('{')) {
    RepairedText repaired;
    repaired.assign(line);
    try {
      parse_json_fields(repaired.text(), {});
      return true;
    } catch (const InputError&) {
    }
  }
  if (head.starts_with('[')) head.remove_prefix(1);
  skip(kBlanks);
  if (!head.starts_with('{')) return false;
  head.remove_prefix(1);
  skip(kBlanks);
  const std::size_t end = head.find('"', 1);
  if (!head.starts_with('"') || end == std::string_view::npos) return false;
  head.remove_prefix(end + 1);
  skip(kBlanks);
  return head.starts_with(':');
}

/// True if a text begins with comments, if any, and a word of CoNLL-U.
bool begins_with_conllu(std::string_view head) {
  while (head.starts_with('#')) {
    head.remove_prefix(std::min(head.find('\n'), head.size() - 1) + 1);
  }
  return is_conllu_word(head.substr(0, head.find('\n')));
}

/// True for a word of letters, digits, `_`, `-` and `.`, optionally in double quotes.
bool is_column_name(std::string_view name) {
  if (name.size() > 2 && name.starts_with('"') && name.ends_with('"')) {
    name = name.substr(1, name.size() - 2);
  }
  const auto is_part = [](char letter) {
    const bool is_letter = (letter | 0x20) >= 'a' && (letter | 0x20) <= 'z';
    return is_letter || (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' ||
           letter == '.' || static_cast<unsigned char>(letter) >= 0x80U;
  };
  return !name.empty() && std::ranges::all_of(name, is_part);
}

/// True if a text begins with column names as CSV and TSV have them: `label,text`.
bool begins_with_columns(std::string_view head) {
  constexpr std::size_t kLookedAt = std::size_t{4} << 10;
  const std::size_t end = head.substr(0, kLookedAt).find('\n');
  if (end == std::string_view::npos) return false;
  std::string_view line = head.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return std::ranges::any_of(std::string_view("\t;,"), [line](char separator) {
    const std::vector<std::string_view> names = split(line, separator);
    return names.size() > 1 && std::ranges::all_of(names, is_column_name);
  });
}

}  // namespace

std::optional<OddContent> odd_content(std::string_view head, const std::string& path,
                                      InputFormat format) {
  if (format != InputFormat::text && format != InputFormat::tokens) return std::nullopt;
  const std::string_view name = without_compression(path);
  std::string foreign = foreign_content(head);
  if (foreign.empty()) foreign = foreign_text(head, name);
  if (!foreign.empty()) return OddContent{Oddity::foreign, path + ", which" + foreign};
  if (format == InputFormat::tokens) return std::nullopt;
  if (is_name_of_records(name) || begins_with_json(head)) return OddContent{Oddity::records, path};
  if (is_name_of_conllu(name) || begins_with_conllu(head)) return OddContent{Oddity::conllu, path};
  if (is_name_of_vertical(name) || begins_with_vertical(head)) {
    return OddContent{Oddity::vertical, path};
  }
  if (is_name_of_fasta(name) || begins_with_fasta(head)) return OddContent{Oddity::fasta, path};
  if (begins_with_columns(head)) return OddContent{Oddity::table, path};
  return std::nullopt;
}

}  // namespace elmo

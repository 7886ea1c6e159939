// The reader of vertical files.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/text/formats/readers.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/html.h"

namespace elmo {
namespace {

bool is_letter(char byte) {
  const int letter = static_cast<unsigned char>(byte) | 0x20;
  return (letter >= 'a' && letter <= 'z') || byte == '_';
}

/// True if the first `>`, or the first outside of quotation marks, ends the line.
bool ends_with_tag(std::string_view line) {
  if (line.find('>') + 1 == line.size()) return true;
  char quote = '\0';
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char byte = line[at];
    if (quote != '\0') {
      if (byte == quote) quote = '\0';
    } else if (byte == '"' || byte == '\'') {
      quote = byte;
    } else if (byte == '>') {
      return at + 1 == line.size();
    }
  }
  return false;
}

/// Returns the name of the tag that `line` consists of, with the `/` of an end tag: "s", "/doc";
/// "!" for comments and declarations. Empty for a word, which may look like the beginning of a tag.
std::string_view tag_name(std::string_view line) {
  if (line.size() < 3 || !line.starts_with('<') || !ends_with_tag(line)) return {};
  if (line[1] == '!' || line[1] == '?') return "!";
  const std::string_view name = line.substr(1, line.find_first_of(" \t/>", 2) - 1);
  return is_letter(name.back()) && is_letter(name[name.starts_with('/') ? 1 : 0]) ? name : "";
}

/// Returns the value of the attribute `id` of a tag, with its entities decoded.
std::optional<std::string> id_of(std::string_view tag) {
  constexpr std::string_view kId = "id=";
  for (std::size_t at = tag.find(kId); at != std::string_view::npos; at = tag.find(kId, at + 1)) {
    if (tag[at - 1] != ' ' && tag[at - 1] != '\t') continue;
    std::string_view value = tag.substr(at + kId.size());
    const bool quoted = value.starts_with('"') || value.starts_with('\'');
    const std::size_t end = quoted ? value.find(value[0], 1) : value.find_first_of(" \t/>");
    if (end == std::string_view::npos) return std::nullopt;
    return decoded_entities(quoted ? value.substr(1, end - 1) : value.substr(0, end));
  }
  return std::nullopt;
}

bool is_document(std::string_view name) { return name == "doc" || name == "text"; }

}  // namespace

bool is_name_of_vertical(std::string_view name) {
  return name.ends_with(".vert") || name.ends_with(".vrt");
}

bool begins_with_vertical(std::string_view head) {
  constexpr std::size_t kMinWords = 4;
  std::size_t words = 0;
  std::size_t tags = 0;
  const bool is_cut = !head.ends_with('\n');
  while (!head.empty() && words < kMinWords) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::string_view line = without_outer_blanks(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
    if (line.empty() || (head.empty() && is_cut)) continue;
    if (!tag_name(line).empty()) {
      ++tags;
    } else if (tags == 0 || (line.find(' ') < line.find('\t'))) {
      return false;
    } else {
      ++words;
    }
  }
  return words == kMinWords;
}

namespace {

class VerticalReader final : public FormatReader {
 public:
  explicit VerticalReader(const TextInput& input)
      : FormatReader(input), lines_(input.window, input.line) {}

  bool next(Sentence& sentence) override {
    while (has_line_ || lines_.next()) {
      if (read_line()) {
        take(sentence);
        return true;
      }
    }
    if (words_.size() == 0 && !std::exchange(is_open_, false) && document_) return false;
    take(sentence);
    return true;
  }

 private:
  /// Reads the current line. Returns true if the sentence ends with it, or before it.
  bool read_line() {
    has_line_ = false;
    if (lines_.too_long()) {
      fail("a line of more than " + std::to_string(kMaxRecordBytes) + " bytes",
           "a token or a tag a line");
    }
    if (is_blank_line(lines_.line())) return false;
    line_.assign(lines_.line());
    context_.count_repairs(line_, window_.view(), name_, lines_.offset());
    const std::string_view tag = tag_name(without_outer_blanks(line_.text()));
    return tag.empty() ? read_word() : read_tag(tag);
  }

  bool read_tag(std::string_view name) {
    const bool has_words = words_.size() > 0;
    if (name == "s") {
      is_open_ = true;
      return has_words;
    }
    if (name == "/s") return std::exchange(is_open_, false) || has_words;
    const bool ends = name.starts_with('/');
    if (ends) name.remove_prefix(1);
    if (!is_document(name)) return name == "p" && has_words;
    is_open_ = false;
    if (ends) return has_words;
    if (std::optional<std::string> id = id_of(line_.text())) {
      new_document_ = std::move(id);
    } else if (!new_document_) {
      new_document_ = name_;
    }
    return has_words;
  }

  bool read_word() {
    const std::string_view text = line_.text();
    const std::size_t expected = context_.options.word_column;
    std::size_t begin = 0;
    for (std::size_t column = 1; column < expected; ++column) {
      const std::size_t tab = text.find('\t', begin);
      if (tab == std::string_view::npos) {
        fail(human_count(column, "column"), "a word in column " + std::to_string(expected));
      }
      begin = tab + 1;
    }
    const std::size_t end = std::min(text.find('\t', begin), text.size());
    const std::string word = decoded_entities(text.substr(begin, end - begin));
    if (word.empty()) {
      fail("an empty column " + std::to_string(expected), "a word in it");
    }
    if (word.find('\0') != std::string::npos) fail("a NUL in a word", "text");
    if (words_.size() > 0 && words_.token_bytes() + word.size() > kMaxSentenceBytes) {
      ++context_.counters.cut_sentences;
      has_line_ = true;
      return true;
    }
    if (words_.size() == 0) {
      begin_document();
      words_.line = lines_.number();
    }
    is_open_ = false;
    words_.begin_line(lines_.number());
    const ByteSpan span = {lines_.offset() + line_.source_offset(begin),
                           lines_.offset() + line_.source_offset(end)};
    const Normalization form = context_.options.tokenizer.token_normalization;
    if (add_token(words_, word, span, form)) ++context_.counters.hardly_known_tokens;
    return false;
  }

  /// Begins the document of the next token, unless it is that of the last one.
  void begin_document() {
    if (document_ && !new_document_) return;
    document_ = context_.begin_document(new_document_.value_or(name_));
    new_document_.reset();
  }

  void take(Sentence& sentence) {
    if (words_.size() == 0) {
      begin_document();
      words_.line = std::max(lines_.number(), std::uint64_t{1});
    }
    std::swap(sentence, words_);
    words_.clear();
    sentence.document = document_;
  }

  [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
    throw InputError(name_ + ": line " + std::to_string(lines_.number()) + ": found " + found +
                     "; expected " + expected + " (vertical text); fix the file");
  }

  RecordLines lines_;
  RepairedText line_;
  bool has_line_ = false;                    // the current line has not been read
  std::optional<std::string> new_document_;  // id of the document that the next token begins
  bool is_open_ = false;                     // after <s>, before its first token
  Sentence words_;                           // the current sentence
};

}  // namespace

std::unique_ptr<FormatReader> make_vertical_reader(const TextInput& input) {
  return std::make_unique<VerticalReader>(input);
}

}  // namespace elmo

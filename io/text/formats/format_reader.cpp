#include "io/text/formats/format_reader.h"

#include <utility>
#include <vector>

#include "core/error.h"

namespace elmo {
namespace {

/// Entities that are common in text, without & and ;.
constexpr std::array<std::string_view, 20> kNames{
    "quot",  "amp",   "lt",    "gt",    "nbsp",  "apos",  "copy",  "reg",   "euro", "deg",
    "ndash", "mdash", "lsquo", "rsquo", "ldquo", "rdquo", "laquo", "raquo", "bull", "hellip"};

bool is_name(std::string_view name) {
  if (!name.starts_with('#')) return std::ranges::find(kNames, name) != kNames.end();
  name.remove_prefix(1);
  std::string_view digits = "0123456789";
  if (name.starts_with('x') || name.starts_with('X')) {
    name.remove_prefix(1);
    digits = "0123456789abcdefABCDEF";
  }
  return !name.empty() && name.find_first_not_of(digits) == std::string_view::npos;
}

}  // namespace

ReadingContext::ReadingContext(FormatOptions format_options) : options(std::move(format_options)) {
  if (is_segmented(options.format)) segmenter_ = make_segmenter(options.tokenizer);
}

void ReadingContext::set_tokenizer(const TokenizerSettings& settings) {
  options.tokenizer = settings;
  if (is_segmented(options.format)) segmenter_ = make_segmenter(settings);
}

void ReadingContext::segment_texts() {
  if (!segmenter_) segmenter_ = make_segmenter(options.tokenizer);
}

void ReadingContext::add_sentence(const RepairedText& text, std::uint64_t offset,
                                  Sentence& sentence) {
  for (const TextRange& token : segmenter_->tokens_of(text.text())) {
    add_words(text, token, offset, sentence);
  }
}

/// If the token at `range` is a contraction, adds the words that it stands for and returns true.
bool ReadingContext::add_contraction(const RepairedText& text, TextRange range,
                                     std::uint64_t offset, Sentence& sentence) const {
  const std::string_view token = text.text().substr(range.begin, range.end - range.begin);
  const std::vector<std::string> words = segmenter_->words_of(token);
  if (words.empty()) return false;
  sentence.add_contraction(
      token, words,
      {offset + text.source_offset(range.begin), offset + text.source_offset(range.end)});
  return true;
}

std::shared_ptr<const Document> ReadingContext::begin_document(const std::string& id) {
  const auto number = static_cast<std::uint32_t>(counters.documents++);
  return std::make_shared<const Document>(Document{number, escaped_name(id)});
}

std::shared_ptr<const Document> ReadingContext::begin_numbered_document(std::uint64_t line) {
  const auto number = static_cast<std::uint32_t>(counters.documents++);
  return std::make_shared<const Document>(Document{number, std::to_string(line), true});
}

void ReadingContext::check_strict(const RepairedText& text, const std::string& name,
                                  std::uint64_t offset) const {
  if (!options.strict || text.first_repair() == RepairedText::npos) return;
  throw InputError(name + ": invalid UTF-8 at byte " +
                       std::to_string(offset + text.first_repair()) +
                       " (the first byte is 0); expected UTF-8",
                   Remedy::repair_text);
}

void ReadingContext::count_repairs(const RepairedText& text, const std::string& name,
                                   std::uint64_t offset) {
  check_strict(text, name, offset);
  counters.invalid_sequences += text.repairs_within(RepairedText::npos);
}

std::uint64_t count_html_entities(const Sentence& sentence) {
  constexpr std::size_t kMaxName = 8;
  const std::string_view text = sentence.characters();
  std::uint64_t count = 0;
  std::size_t token = 0;
  std::size_t token_end = 0;  // in `text`
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    const std::size_t end = text.substr(0, at + kMaxName + 2).find(';', at);
    if (end == std::string_view::npos || !is_name(text.substr(at + 1, end - at - 1))) continue;
    while (token_end <= at) token_end += sentence.token(token++).size();
    // The tokens of an entity are glued together.
    bool glued = true;
    for (std::size_t last = token_end, next = token; last <= end; ++next) {
      last += sentence.token(next).size();
      glued = glued && sentence.spans()[next - 1].end == sentence.spans()[next].begin;
    }
    count += glued ? 1 : 0;
  }
  return count;
}

}  // namespace elmo

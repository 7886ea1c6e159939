#include "io/text/formats/format_reader.h"

#include <utility>
#include <vector>

#include "core/error.h"
#include "io/text/bytes/encoding.h"
#include "io/text/segment/html.h"

namespace elmo {
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

void ReadingContext::count_html(std::string_view text, TextRange token) {
  for (std::size_t at = token.begin; at < token.end; ++at) {
    const bool is_entity = text[at] == '&' && html_entity_end(text, at) != std::string_view::npos;
    const bool is_tag = text[at] == '<' && html_tag(text, at).end != std::string_view::npos;
    counters.html_entities += is_entity ? 1 : 0;
    counters.html_tags += is_tag ? 1 : 0;
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

void ReadingContext::begin_file(const std::string& path) {
  path_ = path;
  encoding_.clear();
  encoding_checks_ = 0;
}

void ReadingContext::count_odd(Oddity oddity, const std::string& first) {
  const auto at = static_cast<std::size_t>(oddity);
  if (++counters.odd_files[at] == 1) first_odd[at] = first;
}

void ReadingContext::check_encoding(std::string_view bytes) {
  constexpr int kMaxChecks = 8;
  if (!encoding_.empty() || encoding_checks_++ >= kMaxChecks) return;
  const std::string encoding = other_encoding(bytes);
  if (encoding.empty()) return;
  encoding_ = encoding + "; convert it with `" + conversion_command(path_, encoding) + "`";
  count_odd(Oddity::encoding, path_ + ", which may be " + encoding_);
}

void ReadingContext::check_repairs(const RepairedText& text, std::string_view bytes,
                                   const std::string& name, std::uint64_t offset) {
  if (text.first_repair() == RepairedText::npos) return;
  check_encoding(bytes);
  if (!options.strict) return;
  throw InputError(name + ": invalid UTF-8 at byte " +
                       std::to_string(offset + text.first_repair()) +
                       " (the first byte is 0); expected UTF-8" +
                       (encoding_.empty() ? "" : "; the text may be " + encoding_),
                   Remedy{"repair_text"});
}

void ReadingContext::count_repairs(const RepairedText& text, std::string_view bytes,
                                   const std::string& name, std::uint64_t offset) {
  check_repairs(text, bytes, name, offset);
  counters.invalid_sequences += text.repairs_within(RepairedText::npos);
}

}  // namespace elmo

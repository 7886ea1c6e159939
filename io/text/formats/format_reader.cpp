#include "io/text/formats/format_reader.h"

#include <utility>
#include <vector>

#include "core/error.h"

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

}  // namespace elmo

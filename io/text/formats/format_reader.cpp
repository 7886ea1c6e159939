#include "io/text/formats/format_reader.h"

#include <utility>

#include "core/error.h"
#include "io/text/formats/free_text_reader.h"
#include "io/text/formats/line_reader.h"
#include "io/text/segment/escaped_name.h"
#include "io/text/segment/locale.h"

namespace elmo {

ReadingContext::ReadingContext(InputOptions input_options) : options(std::move(input_options)) {
  if (!is_segmented(options.format)) return;
  const std::string locale = canonical_locale(options.locale);
  tokenizer_.emplace(locale);
  sentence_breaker_.emplace(locale, Abbreviations::of_locale(locale));
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

void add_token(const RepairedText& text, TextRange range, std::uint64_t offset,
               Sentence& sentence) {
  sentence.add(text.text().substr(range.begin, range.end - range.begin),
               {offset + text.source_offset(range.begin), offset + text.source_offset(range.end)});
}

std::unique_ptr<FormatReader> make_raw_text_reader(ByteWindow& window, const std::string& name,
                                                   std::shared_ptr<const Document> document,
                                                   ReadingContext& context,
                                                   const TextStretch& stretch) {
  if (context.options.lines) {
    return std::make_unique<LineReader>(LineTokens::icu, window, name, std::move(document), context,
                                        stretch);
  }
  return std::make_unique<FreeTextReader>(window, name, std::move(document), context, stretch);
}

}  // namespace elmo

#include "io/labeled/bracketed_query.h"

#include <algorithm>
#include <memory>

#include "core/error.h"
#include "io/text/bytes/byte_stream.h"

namespace elmo {

namespace {

constexpr const char* kExpected = "; expected a sentence with one word in [brackets]";

}  // namespace

bool has_brackets(std::string_view text) {
  const std::size_t open = text.find('[');
  return open != std::string_view::npos && text.find(']', open) != std::string_view::npos;
}

BracketedQuery read_bracketed_query(std::string_view text, const InputOptions& reading) {
  const auto opening = std::ranges::count(text, '[');
  const auto closing = std::ranges::count(text, ']');
  if (opening == 0 && closing == 0) {
    throw InputError(std::string("found no brackets") + kExpected);
  }
  if (opening != 1 || closing != 1 || !has_brackets(text)) {
    throw InputError("found " + std::to_string(opening) + " opening and " +
                     std::to_string(closing) + " closing brackets" + kExpected);
  }
  const std::size_t begin = text.find('[');
  const std::size_t end =
      text.find(']') - 1;  // position in the text without brackets, like `begin`
  std::string plain(text);
  plain.erase(end + 1, 1);
  plain.erase(begin, 1);

  InputOptions options = reading;
  const bool words = is_segmented(options.format);
  options.format = words ? InputFormat::text : InputFormat::tokens;
  options.lines = words;
  const auto source = open_source(options, "query", std::make_unique<MemoryBytes>(plain));
  BracketedQuery query;
  source->next(query.sentence);
  const std::vector<ByteSpan>& spans = query.sentence.spans();
  const auto first = std::ranges::find_if(spans, [&](ByteSpan span) { return span.end > begin; });
  const auto last =
      std::find_if(first, spans.end(), [&](ByteSpan span) { return span.begin >= end; });
  if (first == last) throw InputError(std::string("found no word in the brackets") + kExpected);
  if (query.sentence.size() > kDefaultMaxSentenceTokens) {
    throw InputError("found a sentence of " + std::to_string(query.sentence.size()) +
                     " tokens; expected at most " + std::to_string(kDefaultMaxSentenceTokens));
  }
  query.begin = static_cast<std::size_t>(first - spans.begin());
  query.end = static_cast<std::size_t>(last - spans.begin());
  return query;
}

std::string bracketed_text(const Sentence& sentence, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    if (token > 0) text += ' ';
    if (token == begin) text += '[';
    text += sentence.token(token);
    if (token + 1 == end) text += ']';
  }
  return text;
}

}  // namespace elmo

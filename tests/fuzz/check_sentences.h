// Properties of the sentences of any input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/encoding.h"
#include "io/text/input/text_source.h"
#include "io/text/segment/segmenter.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// Ends the fuzzer, which then reports the input.
inline void require(bool holds) {
  if (!holds) std::abort();
}

inline bool is_valid(std::string_view text) {
  RepairedText repaired;
  repaired.assign(text);
  return repaired.first_repair() == RepairedText::npos;
}

/// True if readers refuse the text because it begins like another encoding or kind of file.
inline bool is_refused_by_its_beginning(std::string_view text) {
  ByteWindow window(text);
  try {
    pass_over_byte_order_mark(window, "input");
  } catch (const InputError&) {
    return true;
  }
  return false;
}

/// Reads `source` to its end and checks it. Tokens must be valid UTF-8 without NUL, and neither
/// they nor their spans empty. Spans must be in order within a sentence (and within a document, if
/// documents are files), and must end within `size` bytes; the words of a contraction must share
/// its span. Documents must be consecutive. `records`: the source is JSON Lines. Spans are then
/// positions in a record, and a token that a record lists may be empty, with an empty span.
inline void check_sentences(TextSource& source, std::uint64_t size, bool records) {
  Sentence sentence;
  std::uint64_t sentences = 0;
  std::uint64_t empty = 0;
  std::optional<std::uint32_t> document;
  std::uint64_t last_end = 0;
  std::uint64_t last_line = 1;
  while (source.next(sentence)) {
    ++sentences;
    if (sentence.size() == 0) ++empty;
    require(sentence.document != nullptr);
    if (document != sentence.document->number) {
      require(!document || sentence.document->number > *document);
      document = sentence.document->number;
      if (records) last_end = 0;
    }
    require(sentence.line >= last_line);
    last_line = sentence.line;
    require(sentence.spans().size() == sentence.size());
    auto contraction = sentence.contractions().begin();
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      const std::string_view token = sentence.token(i);
      require(is_valid(token) && token.find('\0') == std::string_view::npos);
      const ByteSpan& span = sentence.spans()[i];
      if (contraction != sentence.contractions().end() && contraction->end == i) ++contraction;
      const bool shared = contraction != sentence.contractions().end() && contraction->begin < i;
      require(shared ? span == sentence.spans()[i - 1] : last_end <= span.begin);
      require(records && token.empty() ? span.begin == span.end
                                       : !token.empty() && span.begin < span.end);
      last_end = span.end;
    }
    require(last_end <= size);
  }
  const InputCounters& counters = source.counters();
  require(counters.empty_sentences == empty);
  require(counters.documents >= (document ? *document + 1 : 0));
  require(sentences + counters.empty_files >= counters.documents);
  require(counters.cut_sentences == 0 || size > kMaxSentenceBytes);
}

/// Checks the tokens and sentences of `text`, which is valid UTF-8. Each visible ASCII character
/// must be in one token. Spans must ascend, must not overlap, and must begin and end at characters.
/// Sentences made from tokens must end between tokens, and the same text as a line must have the
/// same tokens.
inline void check_segments(Segmenter& segmenter, std::string_view text, bool made_of_tokens) {
  segmenter.set_text(text);
  std::vector<TextRange> tokens;
  std::size_t last = 0;
  for (;;) {
    const Segmenter::Sentence sentence = segmenter.next();
    if (sentence.end == Segmenter::npos) break;
    require(last <= sentence.end && sentence.end <= text.size());
    last = sentence.end;
    tokens.insert(tokens.end(), sentence.tokens.begin(), sentence.tokens.end());
    require(!made_of_tokens || tokens.empty() || tokens.back().end <= last);
  }
  require(last == text.size() || text.empty());
  const auto begins_character = [text](std::size_t at) {
    return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
  };
  const auto is_unseen = [](char byte) { return byte <= ' ' || byte == 0x7F; };
  std::size_t at = 0;
  for (const TextRange& token : tokens) {
    require(at <= token.begin && token.begin < token.end && token.end <= text.size());
    require(begins_character(token.begin) && begins_character(token.end));
    for (; at < token.begin; ++at) require(is_unseen(text[at]));
    at = token.end;
  }
  for (; at < text.size(); ++at) require(is_unseen(text[at]));
  const std::span<const TextRange> line = segmenter.tokens_of(text);
  require(!made_of_tokens || line.size() == tokens.size());
}

}  // namespace elmo

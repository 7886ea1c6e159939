// What holds for the sentences of any input.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "io/text/segment/utf8.h"
#include "io/text/source/text_source.h"

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

/// Whether the text begins with a byte order mark of UTF-16 or UTF-32, which is refused.
inline bool is_marked_as_other_encoding(std::string_view text) {
  using namespace std::string_view_literals;
  return text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv) ||
         text.starts_with("\0\0\xfe\xff"sv);
}

/// Reads `source` to its end and requires of every token that it is valid UTF-8, not empty and
/// without NUL; of spans that they are not empty, in order within a sentence and, where documents
/// are files, within a document too, and that they end within `size` bytes; and of documents that
/// they come one after the other. `spans_in_file` says that the source is one file's and spans
/// point into it.
inline void check_sentences(TextSource& source, std::uint64_t size, bool spans_in_file) {
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
      if (!spans_in_file) last_end = 0;
    }
    require(sentence.line >= last_line);
    last_line = sentence.line;
    require(sentence.spans().size() == sentence.size());
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      const std::string_view token = sentence.token(i);
      require(!token.empty() && is_valid(token) && token.find('\0') == std::string_view::npos);
      const ByteSpan& span = sentence.spans()[i];
      require(last_end <= span.begin && span.begin < span.end);
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

}  // namespace elmo

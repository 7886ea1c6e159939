// Reads a text from memory into values that tests can compare.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text/input/text_source.h"

namespace elmo {

/// A sentence with its tokens joined by '|'.
struct ReadSentence {
  std::string document;
  std::uint64_t line = 0;
  std::string tokens;
  std::vector<ByteSpan> spans;
};

struct ReadText {
  std::vector<ReadSentence> sentences;
  InputCounters counters;

  /// Returns the tokens of each sentence.
  std::vector<std::string> tokens() const {
    std::vector<std::string> result;
    for (const ReadSentence& sentence : sentences) result.push_back(sentence.tokens);
    return result;
  }
  std::vector<std::uint64_t> lines() const {
    std::vector<std::uint64_t> result;
    for (const ReadSentence& sentence : sentences) result.push_back(sentence.line);
    return result;
  }
};

inline ReadText read_all(TextSource& source) {
  ReadText result;
  Sentence sentence;
  while (source.next(sentence)) {
    ReadSentence read{sentence.document->id, sentence.line, {}, sentence.spans()};
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      if (i > 0) read.tokens += '|';
      read.tokens += sentence.token(i);
    }
    result.sentences.push_back(std::move(read));
  }
  result.counters = source.counters();
  return result;
}

inline ReadText read_text(std::string_view text, const InputOptions& options = {}) {
  return read_all(*open_source(options, "input", std::make_unique<MemoryBytes>(text)));
}

using Strings = std::vector<std::string>;
using Lines = std::vector<std::uint64_t>;
using Spans = std::vector<ByteSpan>;

}  // namespace elmo

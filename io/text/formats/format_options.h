// How a text is read.
#pragma once

#include <cstddef>
#include <string>

#include "core/enum_table.h"
#include "io/text/segment/segmenter.h"

namespace elmo {

/// Room for a word of 10^6 characters of four bytes.
inline constexpr std::size_t kMaxSentenceBytes = std::size_t{4} << 20;

enum class InputFormat { text, tokens, jsonl, conllu };

inline constexpr auto kInputFormats = enum_table<InputFormat>({{"text", InputFormat::text},
                                                               {"tokens", InputFormat::tokens},
                                                               {"jsonl", InputFormat::jsonl},
                                                               {"conllu", InputFormat::conllu}});

struct FormatOptions {
  InputFormat format = InputFormat::text;
  bool lines = false;               ///< text and jsonl: each line of text is one sentence
  bool whole_records = false;       ///< jsonl: each record's text is one sentence
  TokenizerSettings tokenizer;      ///< text and jsonl: what makes sentences and tokens
  bool strict = false;              ///< invalid UTF-8 is an error
  std::string text_field = "text";  ///< jsonl: the string that holds the text
  std::string id_field = "id";      ///< jsonl: a string or a number; a record without has its line
  bool keep_lines = false;        ///< tokens: sentences have their lines, without outer white space
  bool skip_bad_records = false;  ///< jsonl: malformed records are counted and left out
};

/// Whether the tokens of this input are made by a tokenizer.
inline bool is_segmented(InputFormat format) {
  return format == InputFormat::text || format == InputFormat::jsonl;
}

}  // namespace elmo

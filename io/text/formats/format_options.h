// Options for reading text.
#pragma once

#include <cstddef>
#include <string>

#include "core/enum_table.h"
#include "io/text/segment/segmenter.h"

namespace elmo {

/// Enough for a word of 10^6 characters of four bytes each.
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
  TokenizerSettings tokenizer;      ///< text and jsonl: rules for sentences and tokens
  bool strict = false;              ///< invalid UTF-8 is an error
  std::string text_field = "text";  ///< jsonl: the field with the text, a string
  std::string id_field = "id";      ///< jsonl: a string or a number; default: the line number
  bool keep_lines = false;        ///< tokens: sentences keep their lines, without outer white space
  bool skip_bad_records = false;  ///< jsonl: malformed records are counted and skipped
};

/// True if the tokens of this format are made by a tokenizer.
inline bool is_segmented(InputFormat format) {
  return format == InputFormat::text || format == InputFormat::jsonl;
}

}  // namespace elmo

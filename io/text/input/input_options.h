// Input files and how to read them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "io/text/formats/format_reader.h"
#include "io/text/input/token_matcher.h"

namespace elmo {

/// Tokenizer options of the user; empty if not given.
struct TokenizerRequest {
  std::string tokenizer;  ///< "ud", "moses", "icu" or the path of a rule file
  std::string locale;     ///< "de", "pt-BR"
  std::optional<ContractionMode> contractions = std::nullopt;
  std::optional<Normalization> normalization = std::nullopt;  ///< also of tokens that are given
};

/// Part `number` of `count`, 0-based.
struct InputPart {
  std::uint64_t number = 0;
  std::uint64_t count = 1;
  bool operator==(const InputPart&) const = default;
};

/// The files to read, the part of them, and how they become sentences.
struct InputOptions : FormatOptions {
  TokenizerRequest request;        ///< determines `tokenizer`, together with the model
  std::vector<std::string> files;  ///< files and folders; standard input for "-" or an empty list
  std::optional<InputPart> part;   ///< part of the files' bytes to read; default: all
  bool whole_documents = false;    ///< parts end between documents only

  /// Maximum tokens per sentence. SentenceCutter cuts longer ones.
  std::size_t max_sentence_tokens = std::numeric_limits<std::size_t>::max();
  std::optional<TokenQuery> query;  ///< sentences keep only the tokens that match; default: all
  bool keep_positions = false;      ///< see TextSource::position_before
};

/// Conditions of reading an input that do not affect its sentences.
struct ReadingControl {
  std::string written = {};  ///< output file or folder, never read as input; may be empty

  /// Once true, a read that waits for standard input or another pipe stops and next() throws
  /// ReadingStopped, as it does before opening another file. Not owned; may be null.
  const std::atomic<bool>* stop = nullptr;

  /// Wraps the decompressed bytes of each file. Must be empty with keep_positions and for a part,
  /// whose positions are those of the file itself.
  BytesThrough through = {};
};

}  // namespace elmo

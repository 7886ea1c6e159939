// Encodes a text as a corpus.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/text/bytes/byte_stream.h"
#include "io/text/input/text_source.h"
#include "io/train/corpus.h"

namespace elmo {

/// One sentence per line; tokens are separated by white space.
inline std::unique_ptr<TextSource> token_source(std::string_view text) {
  InputOptions options;
  options.format = InputFormat::tokens;
  return open_source(options, "input", std::make_unique<MemoryBytes>(text));
}

/// Its file is published.
inline EncodedCorpus encode_tokens(std::string_view text, const std::filesystem::path& path) {
  EncodedCorpus corpus = encode_corpus(*token_source(text), path, "tokens").value();
  corpus.publish();
  return corpus;
}

}  // namespace elmo

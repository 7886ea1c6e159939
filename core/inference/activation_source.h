// Interface for reading activations that were computed before. io implements it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/sentence.h"
#include "core/inference/sink.h"

namespace elmo {

/// Consecutive sentences with their activations, as written to a sink.
struct ActivationBlock {
  std::uint64_t first_sentence = 0;  ///< number of sentences[0]
  std::vector<Sentence> sentences;   ///< boundaries, if kept, are among their tokens
  std::vector<float> activations;    ///< [tokens of all sentences, R, W]

  ActivationBatch view() const { return {first_sentence, sentences, activations}; }
};

/// The maximum to read at once.
struct BlockLimit {
  std::size_t sentences = 1024;
  std::size_t tokens = 4096;
};

/// A range of the tokens of a source, numbered from 0.
struct TokenRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< past the last

  std::uint64_t size() const { return end - begin; }
  bool operator==(const TokenRange&) const = default;
};

/// Sentences that can be read in any order and any number of times; sequential reading is fastest.
/// Memory is bounded by the size of the request. Errors: InputError for invalid data, SystemError
/// for a failed read, std::logic_error for a request past the end. One thread.
class ActivationSource {
 public:
  virtual ~ActivationSource() = default;

  virtual const ActivationLayout& layout() const = 0;
  virtual std::uint64_t sentence_begin() const = 0;  ///< number of the first sentence
  virtual std::uint64_t sentence_end() const = 0;    ///< one past the number of the last sentence
  virtual std::uint64_t token_count() const = 0;

  /// The range of tokens of sentence `number`.
  virtual TokenRange tokens_of(std::uint64_t number) = 0;

  /// Replaces `block` by sentences from `number` on: at least one, and further ones within `limit`.
  /// May return fewer even if more sentences follow.
  virtual void read(std::uint64_t number, const BlockLimit& limit, ActivationBlock& block) = 0;

  /// Reads the activations of `tokens` into `values` [tokens.size(), R, W].
  virtual void read_activations(TokenRange tokens, std::span<float> values) = 0;
};

}  // namespace elmo

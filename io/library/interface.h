// The values of elmo.h and those of the engine.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/inference/activations.h"
#include "core/inference/sentence.h"
#include "io/engine/embed/request.h"
#include "io/library/elmo/elmo.h"

namespace elmo {

/// Returns the exception that is being handled as an error, which elmo_error_free() frees.
elmo_error* current_error() noexcept;

/// Returns the request that the settings of a program stand for, without inputs and outputs; null:
/// the defaults. RequestError, naming the setting, for unknown words and numbers out of range, for
/// members that this version does not know, and as validate().
EmbedRequest request_of(const elmo_settings* settings);

/// The memory behind an elmo_vectors. elmo_vectors_free() frees it.
class OwnedVectors : public elmo_vectors {
 public:
  /// The sentences of the documents 0 to `texts` - 1, in order; `numbers` are theirs, [N, R, W], or
  /// empty.
  OwnedVectors(std::span<const Sentence> sentences, std::size_t texts,
               const ActivationLayout& layout, std::vector<float>&& numbers);
  OwnedVectors(const OwnedVectors&) = delete;
  OwnedVectors& operator=(const OwnedVectors&) = delete;

 private:
  void add(const Sentence& sentence);

  std::vector<std::size_t> text_begins_;
  std::vector<std::size_t> sentence_begins_;
  std::string characters_;  // of all tokens, each followed by NUL
  std::vector<const char*> tokens_;
  std::vector<elmo_span> spans_;
  std::vector<float> values_;
};

}  // namespace elmo

// Inputs of task models: words; the layers of a biLM, mixed into one or side by side; the vectors
// x_k = [characters; word; ELMo]; and ELMo at the output of the RNN.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/nn/bilstm.h"
#include "core/nn/character_cnn.h"
#include "core/nn/embedding.h"
#include "core/nn/layer.h"
#include "core/nn/scalar_mix.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/text.h"

namespace elmo {

/// Words and the rows of their vectors. Row 0 is for all unknown words. Immutable except add().
class WordVocabulary {
 public:
  /// Assigns the next row to `word`. Returns false if it already has one. `rare`: the word is rare
  /// in the training data. Training replaces the row of a rare word by row 0 half of the time,
  /// which trains the vector of unknown words.
  bool add(std::string_view word, bool rare);

  std::int64_t rows() const { return static_cast<std::int64_t>(words_.size()) + 1; }
  /// The row of a word with exactly this spelling, or 0 if it is unknown.
  std::int32_t row(std::string_view word) const;
  /// Words [rows − 1] in the order of their rows, from row 1.
  const std::vector<std::string>& words() const { return words_; }
  bool is_rare(std::int32_t row) const { return rare_[static_cast<std::size_t>(row)] != 0; }

 private:
  std::vector<std::string> words_;
  std::vector<std::uint8_t> rare_ = {0};
  TextMap<std::int32_t> rows_;
};

/// Kinds of dropout masks in a task model. Numbers from 16 up are for the model's own layers.
enum class DropoutMask : std::uint32_t {
  input = 1,
  input_elmo = 2,
  output = 3,
  output_elmo = 4,
  layer = 16
};

/// The id of a mask. `index` distinguishes masks of the same kind.
constexpr std::uint32_t mask_id(DropoutMask kind, std::uint32_t index = 0) {
  return static_cast<std::uint32_t>(kind) + index;
}

/// The options of the biLSTMs that encode texts. `dropout` is between their layers.
inline BiLstmStack::Options encoder_options(const TaskOptions& options, std::int64_t inputs,
                                            float dropout) {
  return {.inputs = inputs,
          .cells = options.hidden,
          .layers = options.layers,
          .dropout = dropout,
          .mask_id = mask_id(DropoutMask::layer)};
}

/// The name of the mix at a place, with which the names of its parameters begin.
std::string elmo_name(ElmoPlace place);

/// The places of a task model that have a mix.
std::vector<ElmoPlace> mix_places(const TaskOptions& options);

/// The weights [L + 1] with which the options fix the mix, or nothing if they are learned.
std::optional<std::vector<float>> fixed_shares(const TaskOptions& options);

/// ELMo_k at one place of a task model: a scalar mix of the layers or, if the options say so, all
/// of them side by side, which learns nothing. Not for two threads at once.
class ElmoLayers {
 public:
  /// `mask_id`: id of the dropout mask, unique in the model.
  ElmoLayers(const TaskOptions& options, ElmoPlace place, std::uint32_t mask_id);

  std::int64_t columns() const { return columns_; }
  std::vector<Parameter*> parameters() { return parameters_of(mix_); }

  /// Writes ELMo_k to `to` from column `column` on, one text after another. The activations of
  /// `texts` must not change until backward.
  void forward(std::span<const TaskText> texts, const PassOptions& options, Matrix& to,
               std::int64_t column);

  /// `gradient`: as `to` in forward; the columns of ELMo_k may be overwritten. Returns the penalty
  /// of the mix. The biLM is frozen.
  double backward(Matrix& gradient, std::int64_t column, const PassOptions& options);

 private:
  std::int64_t columns_;
  std::int64_t projection_;
  bool layer_norm_;
  float dropout_;
  std::uint32_t mask_id_;
  std::optional<ScalarMix> mix_;
};

/// A character CNN, word vectors (trained with the task unless the options say otherwise) and, if
/// the options ask for it, layers of the biLM; then dropout on the concatenation. Not for two
/// threads at once.
class TokenVectors {
 public:
  /// `words` must outlive this object.
  TokenVectors(const TaskOptions& options, const WordVocabulary& words);

  std::int64_t columns() const;
  std::vector<Parameter*> parameters() {
    return parameters_of(characters_, embedding_.parameter(), elmo_);
  }
  void initialize(std::uint64_t seed) { initialize_layers(seed, characters_, embedding_); }

  /// Replaces `to` [tokens of all texts, columns()].
  void forward(std::span<const TaskText> texts, const PassOptions& options, Workers& workers,
               Matrix& to);

  /// `gradient` has the shape of `to` in forward and is overwritten. Returns λ‖w‖².
  double backward(Matrix& gradient, const PassOptions& options, Workers& workers);

 private:
  void look_up(std::span<const TaskText> texts, const PassOptions& options);

  float dropout_;
  bool train_words_;
  const WordVocabulary& words_;
  std::optional<CharacterCnn> characters_;
  Embedding embedding_;
  std::optional<ElmoLayers> elmo_;
  std::int64_t word_column_;
  std::int64_t elmo_column_;

  std::vector<std::int32_t> rows_;         // rows of the word vectors, one per token
  std::vector<std::string_view> spelled_;  // one per token
};

/// Computes [h; ELMo] if the options put ELMo at the output (Peters et al. 2018, section 3.3), else
/// copies h. Not for two threads at once.
class OutputElmo {
 public:
  /// `columns`: number of columns of h.
  OutputElmo(const TaskOptions& options, std::int64_t columns);

  std::int64_t outputs() const { return columns_ + (elmo_ ? elmo_->columns() : 0); }
  std::vector<Parameter*> parameters() { return parameters_of(elmo_); }

  /// Replaces `to` [rows, outputs()]. Rows are the tokens of one text after another.
  void forward(const Matrix& hidden, std::span<const TaskText> texts, const PassOptions& options,
               Matrix& to);

  /// `gradient` has the shape of `to` in forward and is overwritten. Replaces `hidden_gradient`,
  /// the gradient with respect to h. Returns λ‖w‖².
  double backward(Matrix& gradient, const PassOptions& options, Matrix& hidden_gradient);

 private:
  std::int64_t columns_;
  std::optional<ElmoLayers> elmo_;
};

}  // namespace elmo

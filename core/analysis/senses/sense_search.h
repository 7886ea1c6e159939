// Word sense disambiguation by nearest neighbors among training occurrences (Peters et al. 2018,
// section 5.3, after Melamud et al. 2016): the nearest average of a sense, or the nearest single
// occurrence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/senses/sense_inventory.h"
#include "core/analysis/token_layers.h"
#include "core/enum_table.h"

namespace elmo {

/// The vectors that an occurrence is compared with.
enum class SenseNeighbor {
  average,  ///< the mean of all vectors of a sense
  exemplar  ///< each vector of a sense
};

inline constexpr auto kSenseNeighbors = enum_table<SenseNeighbor>(
    {{"average", SenseNeighbor::average}, {"exemplar", SenseNeighbor::exemplar}});

/// Compares questions with training examples of the same words, by cosine in each layer. All
/// questions are added first, then the examples, which are not kept. Memory: one token's
/// activations per question, and twice as much for each training sense of a word in question. One
/// thread; products may use several threads.
class SenseSearch {
 public:
  /// Vectors have all layers of a token side by side; `values` is their length.
  SenseSearch(std::vector<TokenLayer> layers, std::int64_t values);

  /// Adds an occurrence of word number `word` of the inventory whose sense is to be found.
  /// Questions are numbered from 0.
  void add_question(std::size_t word, std::span<const float> vector);

  /// Adds a training occurrence with the indices of its senses among the word's senses. Ignored if
  /// no question is about the word.
  void add_example(std::size_t word, std::span<const std::size_t> senses,
                   std::span<const float> vector);

  /// Must be called once, after the last example.
  void finish();

  const std::vector<TokenLayer>& layers() const { return layers_; }
  std::size_t questions() const { return questions_.size(); }
  std::size_t word_of(std::size_t question) const { return questions_[question].word; }

  /// Index of the predicted sense among the senses of the question's word: the sense with the
  /// largest sum of its cosine and `prior` times the logarithm of its training count. Of ties
  /// (within kLevel), the first. Without training examples of the word, its first candidate, or
  /// nothing if it has none.
  std::optional<std::size_t> answer(std::size_t question, std::size_t layer, SenseNeighbor neighbor,
                                    float prior, const SenseWord& word) const;

  /// Cosines closer than this are ties: rounding may order them either way, and a word's cosines
  /// without context are always the same.
  static constexpr float kLevel = 1e-6F;

 private:
  /// Cosine for a sense without training examples.
  static constexpr float kNone = -std::numeric_limits<float>::infinity();

  /// Indices of senses, among the senses of their word.
  using Senses = std::vector<std::size_t>;
  /// [layers][questions of a word][senses]: the largest cosine with an example of the sense so far.
  /// Trailing senses may be missing, which means no cosine.
  using Cosines = std::vector<std::vector<std::vector<float>>>;

  struct Question {
    std::size_t word;
    std::size_t place;  ///< index among the word's questions
  };
  /// Questions about a word, and its training data.
  struct Word {
    std::vector<float> vectors;             ///< [questions, values], each layer of length 1
    std::vector<std::vector<double>> sums;  ///< [senses][values]; empty: no training examples
    Cosines exemplars, averages;
  };
  struct Example {
    std::size_t word;
    Senses senses;
    std::size_t row;  ///< row of example_vectors_
  };

  template <typename Number>
  void append_scaled(std::span<const Number> vector, std::vector<float>& to) const;
  void compare_examples();
  void compare(const Word& word, std::span<const Senses> senses, std::span<const float> vectors,
               Cosines& cosines);

  std::vector<TokenLayer> layers_;
  std::size_t values_;
  std::vector<Question> questions_;
  std::vector<Word> words_;
  std::vector<Example> examples_;       ///< not compared yet
  std::vector<float> example_vectors_;  ///< [examples, values], each layer of length 1
  std::vector<float> products_;
};

}  // namespace elmo

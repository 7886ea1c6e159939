// Word senses by the nearest neighbor among training's occurrences (Peters et al. 2018, section
// 5.3, after Melamud et al. 2016): the nearest average of a sense, or the nearest single
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

/// What an occurrence is held against.
enum class SenseNeighbor {
  average,  ///< the mean of all vectors of a sense
  exemplar  ///< each vector of a sense
};

inline constexpr auto kSenseNeighbors = enum_table<SenseNeighbor>(
    {{"average", SenseNeighbor::average}, {"exemplar", SenseNeighbor::exemplar}});

/// Holds questions against examples of their words, by cosine in each layer. Questions come first,
/// then examples, which are not kept: memory grows by a token's activations for each question, and
/// twice as much for each sense of the words in question that training meets. One thread; products
/// use as many threads as it may.
class SenseSearch {
 public:
  /// Vectors are all layers of a token side by side; `values` is their length.
  SenseSearch(std::vector<TokenLayer> layers, std::int64_t values);

  /// Adds an occurrence whose sense is asked for, of that word of the inventory. Its number is the
  /// number of those before it.
  void add_question(std::size_t word, std::span<const float> vector);

  /// Adds an occurrence in training with the places of its senses among the word's. Those of words
  /// that no question is about are passed over.
  void add_example(std::size_t word, std::span<const std::size_t> senses,
                   std::span<const float> vector);

  /// To be called once after the last example.
  void finish();

  const std::vector<TokenLayer>& layers() const { return layers_; }
  std::size_t questions() const { return questions_.size(); }
  std::size_t word_of(std::size_t question) const { return questions_[question].word; }

  /// The place of the sense among those of the question's word: the one whose cosine, with `prior`
  /// times the logarithm of its count in training added, is largest; of those that are level (to
  /// kLevel) the first. Where training has none of the word, its first candidate, or nothing where
  /// there is none.
  std::optional<std::size_t> answer(std::size_t question, std::size_t layer, SenseNeighbor neighbor,
                                    float prior, const SenseWord& word) const;

  /// Cosines closer than this are level: rounding may order them either way, and those of a token
  /// without context are the same whenever the word is.
  static constexpr float kLevel = 1e-6F;

 private:
  /// Stands for the cosine with what training does not have.
  static constexpr float kNone = -std::numeric_limits<float>::infinity();

  /// Places of senses among those of their word.
  using Senses = std::vector<std::size_t>;
  /// [layers][questions of a word][senses]: the largest cosine with one of them so far; senses that
  /// are not there yet have none.
  using Cosines = std::vector<std::vector<std::vector<float>>>;

  struct Question {
    std::size_t word;
    std::size_t place;  ///< among the word's questions
  };
  /// The questions about a word, and what training has of it.
  struct Word {
    std::vector<float> vectors;             ///< [questions, values], each layer of length 1
    std::vector<std::vector<double>> sums;  ///< [senses][values]; empty: training has none
    Cosines exemplars, averages;
  };
  struct Example {
    std::size_t word;
    Senses senses;
    std::size_t row;  ///< of example_vectors_
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

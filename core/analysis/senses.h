// Word sense disambiguation by nearest neighbors among training occurrences (Peters et al. 2018,
// section 5.3, after Melamud et al. 2016): the nearest average of a sense, or the nearest single
// occurrence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/enum_table.h"
#include "core/inference/activations.h"
#include "core/inference/sentence.h"

namespace elmo {

/// An occurrence of a word with its sense.
struct SenseInstance {
  std::string id;         ///< unique in its file
  std::size_t begin = 0;  ///< first token of the word
  std::size_t end = 0;    ///< after its last token; at least one token
  std::string lemma;
  std::string part_of_speech;
  std::vector<std::string> keys;  ///< keys of its senses, at least one; each counts as correct
  bool is_name = false;           ///< a person, a group or a location, labeled with its kind
};

/// A sentence with the senses of some of its words, in order.
struct SenseSentence {
  Sentence sentence;
  std::vector<SenseInstance> instances;
};

/// A lemma and its part of speech.
using LemmaKey = std::pair<std::string, std::string>;

/// Sense keys that a word may have. The first is the fallback.
using SenseCandidates = std::map<LemmaKey, std::vector<std::string>>;

/// Senses of a word.
struct SenseWord {
  std::vector<std::string> keys;      ///< candidates in order; not listed: in order of training
  std::vector<std::uint64_t> counts;  ///< training instances of each sense
  bool listed = false;                ///< the candidates are given; training adds none

  /// Index of the most frequent sense in training, the first of equally frequent ones. Without
  /// training instances, the first candidate. Nothing if the word has no sense.
  std::optional<std::size_t> most_frequent() const;
  /// Index of the first candidate. For a word that is not listed, index of its most frequent sense.
  std::optional<std::size_t> first() const;
};

/// Words of interest and their senses. One thread.
class SenseInventory {
 public:
  /// `candidates` may be empty; a word's senses are then those in the training data. `candidates`
  /// must outlive this object.
  explicit SenseInventory(const SenseCandidates& candidates) : candidates_(candidates) {}

  /// Returns the number of a word, from 0. Adds the word if it is new.
  std::size_t add(const LemmaKey& lemma);

  /// The number of a word that was added by add(), or nothing.
  std::optional<std::size_t> find(const LemmaKey& lemma) const;

  /// Counts the senses of a training instance and returns their indices among the word's senses.
  /// Senses that are not candidates are ignored.
  std::vector<std::size_t> count(std::size_t word, const std::vector<std::string>& keys);

  const SenseWord& word(std::size_t number) const { return words_[number]; }
  std::size_t size() const { return words_.size(); }

 private:
  const SenseCandidates& candidates_;
  std::map<LemmaKey, std::size_t> numbers_;
  std::vector<SenseWord> words_;
};

/// Both ends of the pipeline. As a source, it provides the sentences that have wanted instances. As
/// a sink, it extracts the vectors of these instances from the activations. Stores only the
/// instances of sentences in the pipeline.
class SenseStream final : public SentenceSource, public ActivationSink {
 public:
  /// Reads the next sentence; returns false at the end. The reading thread calls it and `wanted`.
  using Read = std::function<bool(SenseSentence&)>;
  using Wanted = std::function<bool(const SenseInstance&)>;
  /// Receives each wanted instance, in order, with its vector: all numbers of a token, or the mean
  /// over the word's tokens. The thread that runs the pipeline calls it.
  using Take = std::function<void(const SenseInstance&, std::span<const float> vector)>;

  SenseStream(Read read, Wanted wanted, Take take)
      : read_(std::move(read)), wanted_(std::move(wanted)), take_(std::move(take)) {}

  bool next(Sentence& sentence) override;
  void write(const ActivationBatch& batch) override;

 private:
  Read read_;
  Wanted wanted_;
  Take take_;
  std::mutex mutex_;
  /// Instances of the sentences in the pipeline.
  std::deque<std::vector<SenseInstance>> in_pipeline_;
  std::vector<float> mean_;
};

/// The vectors that an occurrence is compared with.
enum class SenseNeighbor {
  average,  ///< the mean of all vectors of a sense
  exemplar  ///< each vector of a sense
};

inline constexpr auto kSenseNeighbors = enum_table<SenseNeighbor>(
    {{"average", SenseNeighbor::average}, {"exemplar", SenseNeighbor::exemplar}});

/// Compares questions with training examples of the same words, by cosine in each layer. All
/// questions are added first, then the examples, which are not kept. Memory: one token's
/// activations per question, and twice as much for each training sense of a word with questions.
/// One thread; products may use several threads.
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
  /// (within kTie), the first. Without training examples of the word, its first candidate, or
  /// nothing if it has none.
  std::optional<std::size_t> answer(std::size_t question, std::size_t layer, SenseNeighbor neighbor,
                                    float prior, const SenseWord& word) const;

  /// Cosines closer than this are ties: rounding may order them either way, and a word's cosines
  /// without context are always the same.
  static constexpr float kTie = 1e-6F;

 private:
  /// Cosine for a sense without training examples.
  static constexpr float kNone = -std::numeric_limits<float>::infinity();

  /// Indices of senses, among the senses of their word.
  using Senses = std::vector<std::size_t>;
  /// [layers][questions about a word][senses]: the largest cosine with an example of the sense so
  /// far. A missing trailing sense has no cosine yet.
  using Cosines = std::vector<std::vector<std::vector<float>>>;

  struct Question {
    std::size_t word;
    std::size_t index;  ///< index among the word's questions
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

/// Counts of answers. A question has one answer, or none if the word is unknown.
struct SenseCount {
  std::uint64_t instances = 0;
  std::uint64_t answered = 0;
  std::uint64_t correct = 0;

  /// 2PR / (P + R) of precision P = correct / answered and recall R = correct / instances.
  double f1() const;
  SenseCount& operator+=(const SenseCount& other);
};

/// Scores of one file, or of all files.
struct SenseScores {
  struct Layer {
    std::string name;
    SenseCount average, exemplar;
  };

  SenseCount first_candidate, most_frequent;
  std::vector<Layer> layers;

  SenseScores& operator+=(const SenseScores& other);
};

/// A question of a file. Its number in the search is not stored.
struct SenseQuestion {
  std::string id;
  std::vector<std::string> keys;  ///< each counts as correct
};

/// Scores the questions of the search from number `first` on. The search must be finished. `prior`:
/// see SenseSearch::answer.
SenseScores score_senses(const SenseSearch& search, const SenseInventory& inventory,
                         const std::vector<SenseQuestion>& questions, std::size_t first,
                         float prior);

}  // namespace elmo

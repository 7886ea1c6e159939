// The corpora that `elmo neighbors` searches: a run of shards, or text that is embedded on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/run/listener.h"
#include "cli/run/model_request.h"
#include "core/analysis/neighbors/neighbor_search.h"
#include "core/inference/embed.h"
#include "core/kernels/precision.h"
#include "io/labeled/bracketed_query.h"
#include "io/model/model.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// Which words are found, capitals aside.
enum class WordFilter { any, same, other };

struct NeighborRequest {
  ModelRequest model;
  std::vector<std::string> corpus;
  InputOptions input;  ///< of the corpus, where it is text
  std::size_t count = 10;
  std::string layer;  ///< empty: the top layer
  WordFilter words = WordFilter::any;
  std::optional<Precision> precision;  ///< nothing: the corpus's, or float32
  int threads = 0;
};

/// What was found, the nearest first.
struct NeighborAnswer {
  struct Occurrence {
    float similarity = 0;
    std::string word;
    std::string file;
    std::uint64_t line = 0;  ///< where its sentence begins
    Sentence sentence;
    std::size_t token = 0;
  };
  struct Word {
    float similarity = 0;
    std::string word;
  };

  std::vector<Occurrence> occurrences;
  std::optional<std::vector<Word>> words;  ///< without context, where vectors have that
};

/// Something to search. One thread.
class NeighborCorpus {
 public:
  virtual ~NeighborCorpus() = default;

  /// The layer that is compared.
  virtual const std::string& layer() const = 0;
  /// What makes the tokens of a query as it made those of the corpus.
  virtual const InputOptions& reading() const = 0;
  /// Whether it can be searched again and again: else all queries have to come at once.
  virtual bool is_kept() const = 0;

  /// Goes through the corpus once, for all queries.
  virtual std::vector<NeighborAnswer> search(std::span<const BracketedQuery> queries) = 0;
};

/// Whether the corpus is a run of shards, alone or among others.
bool names_run(const NeighborRequest& request);

/// The corpus that `request` names. InputError where there is none or nothing in it, and for a run
/// whose vectors cannot be compared with what the model computes of a query. `request` and
/// `listener` have to outlive it.
std::unique_ptr<NeighborCorpus> open_corpus(const NeighborRequest& request, RunListener& listener);

// For the corpora themselves.

/// The model, and how it computes queries.
class QueryEncoder {
 public:
  QueryEncoder(LoadedModel model, EmbedOptions options, Precision precision);

  const Bilm& model() const { return model_; }
  const EmbedOptions& options() const { return options_; }
  const ActivationLayout& layout() const { return layout_; }

  /// The activations of the queries' words, the mean over their tokens: [queries, values].
  std::vector<float> vectors(std::span<const BracketedQuery> queries) const;

 private:
  EmbedOptions options_;
  Bilm model_;
  ActivationLayout layout_;
};

/// The layers to compare of activations with that layout. RequestError where there is no such
/// layer.
NeighborLayers chosen_layers(const ActivationLayout& layout, const std::string& layer);

/// A search with more words than are asked for: a query's own word is among them, in several
/// spellings.
NeighborSearch begin_search(const NeighborRequest& request, const NeighborLayers& layers,
                            std::span<const float> vectors);

/// Whether a word may be found, the query's word being `query`; both with their case folded.
bool is_wanted(WordFilter filter, const std::string& word, const std::string& query);

/// The words of queries with their case folded. RequestError where words are to be the same and one
/// of them is several tokens.
std::vector<std::string> folded_words(const NeighborRequest& request,
                                      std::span<const BracketedQuery> queries);

/// Where tokens of a corpus stand.
class TokenPlaces {
 public:
  virtual ~TokenPlaces() = default;
  virtual std::string word(std::uint64_t token) = 0;
  /// All but the similarity.
  virtual NeighborAnswer::Occurrence occurrence(std::uint64_t token) = 0;
};

/// What was found for each query, in full.
std::vector<NeighborAnswer> answers(const NeighborRequest& request,
                                    const NeighborSearch::Results& results,
                                    std::span<const std::string> queries, TokenPlaces& places);

std::unique_ptr<NeighborCorpus> open_run_corpus(const NeighborRequest& request,
                                                RunListener& listener);
std::unique_ptr<NeighborCorpus> open_text_corpus(const NeighborRequest& request,
                                                 RunListener& listener);

}  // namespace elmo

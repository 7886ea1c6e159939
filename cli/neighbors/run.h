// The corpora that `elmo neighbors` searches: a run of shards, or text that is embedded during the
// search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/common/listener.h"
#include "cli/common/model_request.h"
#include "core/analysis/neighbors.h"
#include "core/inference/embed.h"
#include "core/kernels/precision.h"
#include "io/labeled/bracketed_query.h"
#include "io/model/model.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// Words to find: any, the query's word or other words. Case is ignored.
enum class WordFilter { any, same, other };

struct NeighborRequest {
  ModelRequest model;
  std::vector<std::string> corpus;
  InputOptions input;  ///< of the corpus, if it is text
  std::size_t count = 10;
  std::string layer;  ///< empty: the top layer
  WordFilter words = WordFilter::any;
  std::optional<Precision> precision;  ///< nothing: as in the corpus, otherwise float32
  int threads = 0;
};

/// The neighbors of a query, nearest first.
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
  std::optional<std::vector<Word>> words;  ///< without context, if vectors have a layer for it
};

/// A corpus to search. One thread.
class NeighborCorpus {
 public:
  virtual ~NeighborCorpus() = default;

  /// The layer that is compared.
  virtual const std::string& layer() const = 0;
  /// The options that make the tokens of a query like those of the corpus.
  virtual const InputOptions& reading() const = 0;
  /// Whether search() can be called repeatedly. Otherwise one call must have all queries.
  virtual bool is_kept() const = 0;

  /// Searches the corpus for all queries in one pass.
  virtual std::vector<NeighborAnswer> search(std::span<const BracketedQuery> queries) = 0;
};

/// Returns whether one of the names in the corpus is a run of shards.
bool names_run(const NeighborRequest& request);

/// Opens the corpus that `request` names. InputError if it is missing or empty, and for a run whose
/// vectors cannot be compared with those that the model computes for a query. RequestError for an
/// HDF5 file, and for a run together with other names. `request` and `listener` must outlive the
/// result.
std::unique_ptr<NeighborCorpus> open_corpus(const NeighborRequest& request, RunListener& listener);

// For implementations of NeighborCorpus.

/// Computes the vectors of queries.
class QueryEncoder {
 public:
  QueryEncoder(LoadedModel model, EmbedOptions options, Precision precision);

  const Bilm& model() const { return model_; }
  const EmbedOptions& options() const { return options_; }
  const ActivationLayout& layout() const { return layout_; }

  /// The activations of the queries' words, averaged over their tokens: [queries, values].
  std::vector<float> vectors(std::span<const BracketedQuery> queries) const;

 private:
  EmbedOptions options_;
  Bilm model_;
  ActivationLayout layout_;
};

/// Returns the layers to compare in activations with this layout: `layer`, or the top layer if it
/// is empty. RequestError if there is no such layer.
NeighborLayers chosen_layers(const ActivationLayout& layout, const std::string& layer);

/// Returns a search for more words than requested, because the query's own word is among them in
/// several spellings.
NeighborSearch begin_search(const NeighborRequest& request, const NeighborLayers& layers,
                            std::span<const float> vectors);

/// Returns whether `filter` admits `word` for the query's word `query`. Both are case-folded.
bool is_wanted(WordFilter filter, const std::string& word, const std::string& query);

/// Returns the case-folded words of the queries. RequestError if words are filtered and a query's
/// word has several tokens.
std::vector<std::string> folded_words(const NeighborRequest& request,
                                      std::span<const BracketedQuery> queries);

/// Looks up tokens of a corpus by their number.
class TokenPlaces {
 public:
  virtual ~TokenPlaces() = default;
  virtual std::string word(std::uint64_t token) = 0;
  /// Everything but the similarity.
  virtual NeighborAnswer::Occurrence occurrence(std::uint64_t token) = 0;
};

/// Returns the full answers to all queries.
std::vector<NeighborAnswer> answers(const NeighborRequest& request,
                                    const NeighborSearch::Results& results,
                                    std::span<const std::string> queries, TokenPlaces& places);

std::unique_ptr<NeighborCorpus> open_run_corpus(const NeighborRequest& request,
                                                RunListener& listener);
std::unique_ptr<NeighborCorpus> open_text_corpus(const NeighborRequest& request,
                                                 RunListener& listener);

}  // namespace elmo

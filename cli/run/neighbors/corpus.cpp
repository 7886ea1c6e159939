#include "cli/run/neighbors/corpus.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "cli/process/signals.h"
#include "core/error.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/shard/format/format.h"
#include "io/text/segment/case.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

// Maximum number of spellings of a query's own word that may rank before other words.
constexpr std::size_t kSpellings = 8;

/// Returns whether a file begins with the signature of HDF5. Does not read pipes.
bool is_hdf5(const std::string& path) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  return is_file(path) && read_head(path, kSignature.size()) == kSignature;
}

/// The sentences of queries, in order.
class QuerySource final : public SentenceSource {
 public:
  explicit QuerySource(std::span<const BracketedQuery> queries) : queries_(queries) {}

  bool next(Sentence& sentence) override {
    if (next_ == queries_.size()) return false;
    sentence = queries_[next_++].sentence;
    return true;
  }

 private:
  std::span<const BracketedQuery> queries_;
  std::size_t next_ = 0;
};

/// Averages the vectors of the queries' words.
class QuerySink final : public ActivationSink {
 public:
  /// `shift`: number of tokens before each sentence's own.
  QuerySink(std::span<const BracketedQuery> queries, std::size_t values, std::size_t shift)
      : queries_(queries), values_(values), shift_(shift), vectors_(queries.size() * values) {}

  void write(const ActivationBatch& batch) override {
    std::span<const float> rest = batch.activations;
    for (const Sentence& sentence : batch.sentences) {
      const BracketedQuery& query = queries_[next_];
      const auto mean = std::span(vectors_).subspan(next_++ * values_, values_);
      const float share = 1.0F / static_cast<float>(query.end - query.begin);
      for (std::size_t token = query.begin; token < query.end; ++token) {
        const auto vector = rest.subspan((token + shift_) * values_, values_);
        for (std::size_t i = 0; i < values_; ++i) mean[i] += share * vector[i];
      }
      rest = rest.subspan(sentence.size() * values_);
    }
  }
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

  std::vector<float> take() { return std::move(vectors_); }

 private:
  std::span<const BracketedQuery> queries_;
  std::size_t values_;
  std::size_t shift_;
  std::vector<float> vectors_;
  std::size_t next_ = 0;
};

}  // namespace

QueryEncoder::QueryEncoder(LoadedModel model, EmbedOptions options, Precision precision)
    : options_(std::move(options)),
      model_(model.options, std::move(model.parameters), precision, std::move(model.lexicon)),
      layout_(activation_layout(model_.options(), options_)) {}

std::vector<float> QueryEncoder::vectors(std::span<const BracketedQuery> queries) const {
  QuerySource source(queries);
  QuerySink sink(queries, static_cast<std::size_t>(layout_.values_per_token()),
                 options_.boundaries ? 1 : 0);
  embed(model_, source, sink, options_, kNeverStop, nullptr);
  return sink.take();
}

NeighborLayers chosen_layers(const ActivationLayout& layout, const std::string& layer) {
  const std::vector<TokenLayer> layers = token_layers(layout);
  NeighborLayers chosen{layers.back(), std::nullopt, layout.values_per_token()};
  if (layers.size() > 1) chosen.without_context = layers.front();
  if (layer.empty()) return chosen;
  const auto found = std::ranges::find(layers, layer, &TokenLayer::name);
  if (found == layers.end()) {
    std::string names;
    for (const TokenLayer& one : layers) {
      if (!names.empty()) names += ", ";
      names += one.name;
    }
    throw RequestError("--layer: found '" + layer + "', expected one that there is: " + names);
  }
  chosen.context = *found;
  return chosen;
}

NeighborSearch begin_search(const NeighborRequest& request, const NeighborLayers& layers,
                            std::span<const float> vectors) {
  return {layers, vectors, request.count, request.count + kSpellings};
}

bool is_wanted(WordFilter filter, const std::string& word, const std::string& query) {
  return filter == WordFilter::any || (word == query) == (filter == WordFilter::same);
}

std::vector<std::string> folded_words(const NeighborRequest& request,
                                      std::span<const BracketedQuery> queries) {
  std::vector<std::string> words;
  for (const BracketedQuery& query : queries) {
    if (request.words != WordFilter::any && query.end - query.begin > 1) {
      throw RequestError("the word in brackets is " + std::to_string(query.end - query.begin) +
                         " tokens; --same-word and --other-words expect one");
    }
    std::string word;
    for (std::size_t token = query.begin; token < query.end; ++token) {
      if (token > query.begin) word += ' ';
      word += query.sentence.token(token);
    }
    words.push_back(fold_case(word));
  }
  return words;
}

std::vector<NeighborAnswer> answers(const NeighborRequest& request,
                                    const NeighborSearch::Results& results,
                                    std::span<const std::string> queries, TokenPlaces& places) {
  std::vector<NeighborAnswer> all;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    NeighborAnswer answer;
    for (const Neighbor& near : results.occurrences[query].tokens()) {
      answer.occurrences.push_back(places.occurrence(near.token));
      answer.occurrences.back().similarity = near.cosine;
    }
    if (!results.words.empty()) {
      answer.words.emplace();
      for (const Neighbor& near : results.words[query].tokens()) {
        const std::string word = places.word(near.token);
        if (answer.words->size() == request.count) break;
        if (fold_case(word) != queries[query]) answer.words->push_back({near.cosine, word});
      }
    }
    all.push_back(std::move(answer));
  }
  return all;
}

bool names_run(const NeighborRequest& request) {
  return std::ranges::any_of(request.corpus, [](const std::string& path) {
    return is_there(fs::path(path) / shard_format::kManifest);
  });
}

std::unique_ptr<NeighborCorpus> open_corpus(const NeighborRequest& request, RunListener& listener) {
  if (!names_run(request)) {
    for (const std::string& path : request.corpus) {
      if (!is_hdf5(path)) continue;
      throw RequestError("--corpus: " + path +
                         " is an HDF5 file; expected the folder of a run, or text");
    }
    return open_text_corpus(request, listener);
  }
  if (request.corpus.size() == 1) return open_run_corpus(request, listener);
  throw RequestError("--corpus: found " + std::to_string(request.corpus.size()) +
                     " names, one of them a run of shards; expected one run, or files of text");
}

}  // namespace elmo

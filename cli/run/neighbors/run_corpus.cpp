// A run of shards, searched in place by several threads.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

#include "cli/numbers/human.h"
#include "cli/run/component.h"
#include "cli/run/neighbors/corpus.h"
#include "cli/run/run_settings.h"
#include "core/error.h"
#include "core/parallel/available_threads.h"
#include "core/parallel/worker_pool.h"
#include "io/shard/read/run_reader.h"
#include "io/shard/read/stored_run.h"
#include "io/text/segment/case.h"

namespace elmo {
namespace {

/// Returns the requested model. InputError if it is not the run's model.
LoadedModel matching_model(const NeighborRequest& request, const std::string& name,
                           const Manifest& manifest) {
  LoadedModel model = load_model(request.model);
  const std::string expected = component(manifest.fingerprint, "model");
  if (model.fingerprint != expected) {
    throw InputError(name + ": vectors of the model " + expected + ", but the query would be of " +
                     model.fingerprint + "; give the run's model with --model");
  }
  return model;
}

/// Returns the settings of a run, for computing queries. InputError if queries cannot be computed
/// like it.
RunSettings repeatable_settings(const Manifest& manifest, const std::string& name) {
  RunSettings settings = run_settings(manifest, name);
  require_repeatable(manifest, settings, name);
  // A query is a single sentence, so it only matters whether the text was tokenized.
  if (settings.reading.format == InputFormat::jsonl) settings.reading.format = InputFormat::text;
  if (settings.reading.format == InputFormat::conllu) settings.reading.format = InputFormat::tokens;
  return settings;
}

class RunCorpus final : public NeighborCorpus, private TokenPlaces {
 public:
  RunCorpus(const NeighborRequest& request, RunListener& listener)
      : request_(request),
        listener_(listener),
        name_(request.corpus.front()),
        reader_(name_),
        settings_(repeatable_settings(reader_.manifest(), name_)),
        rows_(name_, reader_.manifest()),
        encoder_(matching_model(request, name_, reader_.manifest()), settings_.embed,
                 request.precision.value_or(settings_.precision)),
        layers_(chosen_layers(reader_.layout(), request.layer)),
        threads_(request.threads > 0 ? request.threads : available_threads()),
        pool_(threads_, 1) {
    if (reader_.token_count() == 0) {
      throw InputError(name_ + ": has no token; expected vectors to search");
    }
    if (encoder_.layout().rows != reader_.layout().rows ||
        encoder_.layout().width != reader_.layout().width) {
      throw InputError(name_ + ": has " + layout_text(reader_.layout()) + "; expected " +
                       layout_text(encoder_.layout()) + ", as its model gives");
    }
  }

  const std::string& layer() const override { return layers_.context.name; }
  const InputOptions& reading() const override { return settings_.reading; }
  bool is_kept() const override { return true; }
  std::vector<NeighborAnswer> search(std::span<const BracketedQuery> queries) override;

 private:
  using Results = NeighborSearch::Results;

  void search_pieces(const NeighborSearch& search, std::span<const std::string> queries,
                     std::atomic<std::size_t>& next, Results& results);
  void report(std::chrono::duration<double> time, std::size_t queries) const;

  std::string word(std::uint64_t token) override {
    return reader_.read_tokens({token, token + 1}).front();
  }
  NeighborAnswer::Occurrence occurrence(std::uint64_t token) override;

  const NeighborRequest& request_;
  RunListener& listener_;
  std::string name_;
  RunReader reader_;
  RunSettings settings_;
  StoredRun rows_;
  bool searched_ = false;
  QueryEncoder encoder_;
  NeighborLayers layers_;
  int threads_;
  std::mutex reading_;  ///< guards reader_ while the threads search
  WorkerPool pool_;
};

void RunCorpus::search_pieces(const NeighborSearch& search, std::span<const std::string> queries,
                              std::atomic<std::size_t>& next, Results& results) {
  const std::vector<StoredPiece>& pieces = rows_.pieces();
  const bool half = reader_.manifest().dtype == Dtype::float16;
  PieceBuffer buffer;
  std::vector<float> values;
  for (std::size_t number = next++; number < pieces.size(); number = next++) {
    const StoredPiece& piece = pieces[number];
    TokenRows rows{piece.tokens.begin, piece.tokens.size(), nullptr, nullptr};
    if (!piece.stored) {
      values.resize(rows.count * static_cast<std::size_t>(layers_.values));
      const std::lock_guard lock(reading_);
      reader_.read_activations(piece.tokens, values);
      rows.floats = values.data();
    } else if (half) {
      rows.halves = reinterpret_cast<const std::uint16_t*>(rows_.values(piece, buffer));
    } else {
      rows.floats = reinterpret_cast<const float*>(rows_.values(piece, buffer));
    }
    // Words are read only when the first token of the piece needs them.
    std::vector<std::string> words;
    const auto accepts = [&](std::size_t query, std::uint64_t token) {
      if (request_.words == WordFilter::any && !settings_.embed.boundaries) return true;
      if (words.empty()) {
        const std::lock_guard lock(reading_);
        words = reader_.read_tokens(piece.tokens);
      }
      const std::string& word = words[token - piece.tokens.begin];
      if (settings_.embed.boundaries && (word == "<S>" || word == "</S>")) return false;
      return request_.words == WordFilter::any ||
             is_wanted(request_.words, fold_case(word), queries[query]);
    };
    search.search(rows, accepts, results);
  }
}

std::vector<NeighborAnswer> RunCorpus::search(std::span<const BracketedQuery> queries) {
  const std::vector<std::string> words = folded_words(request_, queries);
  const NeighborSearch search = begin_search(request_, layers_, encoder_.vectors(queries));
  const auto start = std::chrono::steady_clock::now();
  // Most processes answer once, so mapping pays only from the second search on.
  if (searched_) rows_.map();
  searched_ = true;
  std::vector<Results> results(static_cast<std::size_t>(threads_), search.begin());
  std::vector<WorkerPool::Job> jobs;
  std::atomic<std::size_t> next = 0;
  jobs.reserve(results.size());
  for (Results& own : results) {
    jobs.emplace_back([&](int) { search_pieces(search, words, next, own); });
  }
  run_all(pool_, jobs);
  for (std::size_t other = 1; other < results.size(); ++other) {
    NeighborSearch::merge(results[other], results.front());
  }
  report(std::chrono::steady_clock::now() - start, queries.size());
  return answers(request_, results.front(), words, *this);
}

/// Notes the speed in bytes of compared vectors.
void RunCorpus::report(std::chrono::duration<double> time, std::size_t queries) const {
  const std::int64_t width =
      layers_.context.width + (layers_.without_context ? layers_.without_context->width : 0);
  const std::uint64_t bytes = reader_.token_count() * static_cast<std::uint64_t>(width) *
                              dtype_bytes(reader_.manifest().dtype);
  listener_.note(human_count(queries) + (queries == 1 ? " query" : " queries") + " held against " +
                 human_count(reader_.token_count(), "token") + " in " + human_time(time) + ", " +
                 human_bytes(nearest_whole(static_cast<double>(bytes) / time.count())) + "/s");
}

NeighborAnswer::Occurrence RunCorpus::occurrence(std::uint64_t token) {
  // Find the last sentence that begins at or before the token. Sentences without tokens come before
  // it.
  std::uint64_t low = 0;
  for (std::uint64_t high = reader_.sentence_end(); high - low > 1;) {
    const std::uint64_t middle = low + (high - low) / 2;
    (reader_.tokens_of(middle).begin <= token ? low : high) = middle;
  }
  ActivationBlock block;
  reader_.read(low, {1, 1}, block);
  Sentence& sentence = block.sentences.front();
  const std::uint64_t place = token - reader_.tokens_of(low).begin;
  return {0,
          std::string(sentence.token(place)),
          sentence.document->id,
          sentence.line,
          std::move(sentence),
          place};
}

}  // namespace

std::unique_ptr<NeighborCorpus> open_run_corpus(const NeighborRequest& request,
                                                RunListener& listener) {
  return std::make_unique<RunCorpus>(request, listener);
}

}  // namespace elmo

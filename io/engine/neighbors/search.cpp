#include "io/engine/neighbors/search.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/resources.h"
#include "core/text.h"
#include "core/workers.h"
#include "io/engine/neighbors/corpus.h"
#include "io/engine/run_settings.h"
#include "io/shard/run_reader.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

// Maximum number of spellings of a query's own word that may rank before other words.
constexpr std::size_t kSpellings = 8;

/// A corpus to search. One thread.
class NeighborCorpus {
 public:
  virtual ~NeighborCorpus() = default;

  /// The layer that is compared.
  virtual const std::string& layer() const = 0;
  /// Returns the options that tokenize a query like the corpus.
  virtual const InputOptions& reading() const = 0;

  /// Searches the corpus for all queries in one pass. A run can be searched several times; for
  /// text, one call must have all queries.
  virtual std::vector<NeighborAnswer> search(std::span<const BracketedQuery> queries) = 0;
};

/// Looks up tokens of a corpus by their number.
class TokenContexts {
 public:
  virtual ~TokenContexts() = default;
  virtual std::string word(std::uint64_t token) = 0;
  /// Fills in everything except the similarity.
  virtual NeighborAnswer::Occurrence occurrence(std::uint64_t token) = 0;
};

/// Returns a search for more words than requested, because the query's own word is among them in
/// several spellings.
NeighborSearch begin_search(const NeighborRequest& request, const NeighborLayers& layers,
                            std::span<const float> vectors) {
  return {layers, vectors, request.count, request.count + kSpellings};
}

/// Returns whether the request is for `word`, given the query's word. Both are case-folded.
bool is_wanted(const NeighborRequest& request, const std::string& word, const std::string& query) {
  return request.any_word() || (word == query) == request.same_word;
}

/// Returns the case-folded words of the queries. RequestError if words are filtered and a query's
/// word has several tokens.
std::vector<std::string> folded_words(const NeighborRequest& request,
                                      std::span<const BracketedQuery> queries) {
  std::vector<std::string> words;
  for (const BracketedQuery& query : queries) {
    if (!request.any_word() && query.end - query.begin > 1) {
      throw RequestError("the word in brackets is " + std::to_string(query.end - query.begin) +
                         " tokens; " + Setting{"same_word"} + " and " + Setting{"other_words"} +
                         " expect one");
    }
    words.push_back(fold_case(query.sentence.text(query.begin, query.end)));
  }
  return words;
}

/// Returns the full answers to all queries.
std::vector<NeighborAnswer> answers(const NeighborRequest& request,
                                    const NeighborSearch::Results& results,
                                    std::span<const std::string> queries, TokenContexts& contexts) {
  std::vector<NeighborAnswer> all;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    NeighborAnswer answer;
    for (const Neighbor& near : results.occurrences[query].tokens()) {
      answer.occurrences.push_back(contexts.occurrence(near.token));
      answer.occurrences.back().similarity = near.cosine;
    }
    if (!results.words.empty()) {
      answer.words.emplace();
      for (const Neighbor& near : results.words[query].tokens()) {
        const std::string word = contexts.word(near.token);
        if (answer.words->size() == request.count) break;
        if (fold_case(word) != queries[query]) answer.words->push_back({near.cosine, word});
      }
    }
    all.push_back(std::move(answer));
  }
  return all;
}

/// Returns the requested model, for computing like the run. InputError if it is not the run's
/// model.
Bilm matching_model(const NeighborRequest& request, const std::string& name,
                    const Manifest& manifest, const RunSettings& settings) {
  LoadedModel model = open_model(request.model).loaded;
  const std::string expected = component(manifest.provenance, "model");
  if (model.fingerprint != expected) {
    throw InputError(name + ": vectors of the model " + expected + ", but the query would be of " +
                     model.fingerprint + "; give the run's model with " + Setting{"model"});
  }
  return pack(model, request.precision.value_or(settings.precision));
}

/// Returns the settings of a run, for computing queries. InputError if the run is incomplete or
/// queries cannot be computed in the same way.
RunSettings repeatable_settings(const Manifest& manifest, const std::string& name) {
  require_complete(manifest, name);
  RunSettings settings = run_settings(manifest, name);
  require_repeatable(manifest, settings, name);
  // A query is a single sentence, so it only matters whether the text was tokenized.
  InputFormat& format = settings.reading.format;
  format = is_segmented(format) ? InputFormat::text : InputFormat::tokens;
  return settings;
}

class RunCorpus final : public NeighborCorpus, private TokenContexts {
 public:
  RunCorpus(const NeighborRequest& request, RunListener& listener)
      : request_(request),
        listener_(listener),
        name_(request.corpus.front()),
        reader_(name_),
        settings_(repeatable_settings(reader_.manifest(), name_)),
        rows_(name_, reader_.manifest()),
        embedder_(matching_model(request, name_, reader_.manifest(), settings_), settings_.embed),
        layers_(chosen_layers(reader_.layout(), request.layer)),
        workers_(threads_or_available(request.threads)) {
    if (reader_.token_count() == 0) {
      throw InputError(name_ + ": has no token; expected vectors to search");
    }
    if (embedder_.layout.rows != reader_.layout().rows ||
        embedder_.layout.width != reader_.layout().width) {
      throw InputError(name_ + ": has " + layout_text(reader_.layout()) + "; expected " +
                       layout_text(embedder_.layout) + ", as its model gives");
    }
  }

  const std::string& layer() const override { return layers_.context.name; }
  const InputOptions& reading() const override { return settings_.reading; }

  std::vector<NeighborAnswer> search(std::span<const BracketedQuery> queries) override {
    const std::vector<std::string> words = folded_words(request_, queries);
    const NeighborSearch search =
        begin_search(request_, layers_, query_vectors(embedder_.model, embedder_.options, queries));
    const auto start = std::chrono::steady_clock::now();
    // Most processes answer once, so mapping pays only from the second search on.
    if (searched_) rows_.map();
    searched_ = true;
    std::vector<Results> results(static_cast<std::size_t>(workers_.count()), search.begin());
    std::atomic<std::size_t> next = 0;
    workers_.run(results.size(),
                 [&](std::size_t worker) { search_pieces(search, words, next, results[worker]); });
    for (std::size_t other = 1; other < results.size(); ++other) {
      NeighborSearch::merge(results[other], results.front());
    }
    report(std::chrono::steady_clock::now() - start, queries.size());
    return answers(request_, results.front(), words, *this);
  }

 private:
  using Results = NeighborSearch::Results;

  void search_pieces(const NeighborSearch& search, std::span<const std::string> queries,
                     std::atomic<std::size_t>& next, Results& results) {
    const std::vector<RunPiece>& pieces = rows_.pieces();
    const bool half = reader_.manifest().dtype == Dtype::float16;
    PieceBuffer buffer;
    std::vector<float> values;
    for (std::size_t number = next++; number < pieces.size(); number = next++) {
      const RunPiece& piece = pieces[number];
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
      const auto word = [&](std::uint64_t token) -> const std::string& {
        if (words.empty()) {
          const std::lock_guard lock(reading_);
          words = reader_.read_tokens(piece.tokens);
        }
        return words[token - piece.tokens.begin];
      };
      const auto is_word = [&](std::size_t, std::uint64_t token) {
        return !settings_.embed.boundaries || (word(token) != "<S>" && word(token) != "</S>");
      };
      const auto accepts = [&](std::size_t query, std::uint64_t token) {
        return is_word(query, token) &&
               (request_.any_word() || is_wanted(request_, fold_case(word(token)), queries[query]));
      };
      search.search(rows, accepts, is_word, results);
    }
  }

  /// Notes the speed in bytes of compared vectors.
  void report(std::chrono::duration<double> time, std::size_t queries) const {
    const std::int64_t width =
        layers_.context.width + (layers_.without_context ? layers_.without_context->width : 0);
    const std::uint64_t bytes = reader_.token_count() * static_cast<std::uint64_t>(width) *
                                format_of(reader_.manifest().dtype).bytes;
    listener_.note(human_count(queries, "query") + " compared with " +
                   human_count(reader_.token_count(), "token") + " in " + human_time(time) + ", " +
                   human_bytes(nearest_whole(static_cast<double>(bytes) / time.count())) + "/s");
  }

  std::string word(std::uint64_t token) override {
    return reader_.read_tokens({token, token + 1}).front();
  }

  NeighborAnswer::Occurrence occurrence(std::uint64_t token) override {
    // Find the last sentence that begins at or before the token. Sentences without tokens come
    // before it.
    std::uint64_t low = 0;
    for (std::uint64_t high = reader_.sentence_end(); high - low > 1;) {
      const std::uint64_t middle = low + (high - low) / 2;
      (reader_.tokens_of(middle).begin <= token ? low : high) = middle;
    }
    ActivationBlock block;
    reader_.read(low, {1, 1}, block);
    Sentence& sentence = block.sentences.front();
    const std::uint64_t index = token - reader_.tokens_of(low).begin;
    return {0,
            std::string(sentence.token(index)),
            sentence.document->id,
            sentence.line,
            std::move(sentence),
            index};
  }

  const NeighborRequest& request_;
  RunListener& listener_;
  std::string name_;
  RunReader reader_;
  RunSettings settings_;
  RunPieces rows_;
  bool searched_ = false;
  Embedder embedder_;
  NeighborLayers layers_;
  std::mutex reading_;  ///< guards reader_ while the threads search
  Workers workers_;
};

// Number of tokens that are compared at a time.
constexpr std::size_t kTokens = 256;

/// Compares queries with the activations of the pipeline, and keeps the sentences of the nearest
/// tokens so far.
class SearchingSink final : public ActivationSink, public TokenContexts {
 public:
  SearchingSink(const NeighborRequest& request, const NeighborSearch& search,
                std::span<const std::string> queries, std::size_t values)
      : request_(request),
        search_(search),
        queries_(queries),
        values_(values),
        results_(search.begin()) {}

  void write(const ActivationBatch& batch) override {
    std::vector<std::uint64_t> begins;  // first tokens of the sentences, numbered in the corpus
    std::uint64_t end = tokens_;
    for (const Sentence& sentence : batch.sentences) {
      begins.push_back(end);
      end += sentence.size();
    }
    const auto accepts = [&](std::size_t query, std::uint64_t token) {
      if (request_.any_word()) return true;
      const auto after = std::ranges::upper_bound(begins, token);
      const auto number = static_cast<std::size_t>(after - begins.begin()) - 1;
      const std::string_view word = batch.sentences[number].token(token - begins[number]);
      return is_wanted(request_, fold_case(word), queries_[query]);
    };
    for (std::uint64_t token = tokens_; token < end; token += kTokens) {
      const std::size_t count = std::min<std::uint64_t>(kTokens, end - token);
      search_.search(
          {token, count, batch.activations.data() + (token - tokens_) * values_, nullptr}, accepts,
          [](std::size_t, std::uint64_t) { return true; }, results_);
    }
    keep_contexts(batch, begins);
    tokens_ = end;
  }

  std::uint64_t tokens() const { return tokens_; }
  const NeighborSearch::Results& results() const { return results_; }

  std::string word(std::uint64_t token) override { return occurrence(token).word; }
  NeighborAnswer::Occurrence occurrence(std::uint64_t token) override { return kept_.at(token); }

 private:
  void keep_contexts(const ActivationBatch& batch, const std::vector<std::uint64_t>& begins) {
    std::map<std::uint64_t, NeighborAnswer::Occurrence> kept;
    const auto keep = [&](std::uint64_t token) {
      if (kept.contains(token)) return;
      if (token < tokens_) {
        kept.insert(kept_.extract(token));
        return;
      }
      const auto after = std::ranges::upper_bound(begins, token);
      const auto number = static_cast<std::size_t>(after - begins.begin()) - 1;
      const Sentence& sentence = batch.sentences[number];
      const std::size_t index = token - begins[number];
      kept[token] = {
          0,    std::string(sentence.token(index)), sentence.document->id, sentence.line, sentence,
          index};
    };
    for (const auto* list : {&results_.occurrences, &results_.words}) {
      for (const NearestTokens& nearest : *list) {
        for (const Neighbor& near : nearest.tokens()) keep(near.token);
      }
    }
    kept_ = std::move(kept);
  }

  const NeighborRequest& request_;
  const NeighborSearch& search_;
  std::span<const std::string> queries_;
  std::size_t values_;
  NeighborSearch::Results results_;
  std::uint64_t tokens_ = 0;
  std::map<std::uint64_t, NeighborAnswer::Occurrence> kept_;
};

class TextCorpus final : public NeighborCorpus {
 public:
  TextCorpus(const NeighborRequest& request, RunListener& listener)
      : request_(request),
        text_(request, listener, kNeverStop),
        layers_(chosen_layers(text_.embedder().layout, request.layer)) {}

  const std::string& layer() const override { return layers_.context.name; }
  const InputOptions& reading() const override { return text_.reading(); }

  std::vector<NeighborAnswer> search(std::span<const BracketedQuery> queries) override {
    const std::vector<std::string> words = folded_words(request_, queries);
    const NeighborSearch search =
        begin_search(request_, layers_,
                     query_vectors(text_.embedder().model, text_.embedder().options, queries));
    SearchingSink sink(request_, search, words, static_cast<std::size_t>(layers_.values));
    text_.embed_into(text_.sentences(), sink);
    if (sink.tokens() == 0) {
      throw InputError(request_.corpus.front() + ": has no token; expected text to search");
    }
    return answers(request_, sink.results(), words, sink);
  }

 private:
  const NeighborRequest& request_;
  EmbeddedText text_;
  NeighborLayers layers_;
};

// Maximum number of queries in one pass over the corpus. More would need too much memory for their
// results.
constexpr std::size_t kTogether = 4096;

/// Reads the request's query.
BracketedQuery read_query(const std::string& text, const InputOptions& reading) {
  try {
    return read_bracketed_query(text, reading);
  } catch (const InputError& error) {
    throw RequestError("'" + excerpt(text) + "': " + error.what());
  }
}

}  // namespace

void run_neighbors(const NeighborRequest& request, RunListener& listener,
                   const AnswerReport& answered) {
  const bool is_run = names_run(request);
  std::unique_ptr<NeighborCorpus> corpus;
  if (is_run) {
    corpus = std::make_unique<RunCorpus>(request, listener);
  } else {
    corpus = std::make_unique<TextCorpus>(request, listener);
  }
  const auto answer = [&](const std::vector<BracketedQuery>& queries) {
    answered(queries, corpus->layer(), corpus->search(queries));
  };
  if (!request.query.empty()) {
    answer({read_query(request.query, corpus->reading())});
    return;
  }
  // In a run, queries that have arrived are answered before waiting for more. Text takes all.
  std::vector<BracketedQuery> queries;
  answer_lines(
      is_run ? kTogether : std::numeric_limits<std::size_t>::max(), !is_run,
      [&](const std::string& line, std::uint64_t) {
        queries.push_back(read_bracketed_query(line, corpus->reading()));
      },
      [&] { answer(std::exchange(queries, {})); });
}

}  // namespace elmo

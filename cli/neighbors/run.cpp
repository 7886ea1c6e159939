// A run of shards, searched in place by several threads.
//
// Text that is embedded once and searched meanwhile for all queries.

#include "cli/neighbors/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "cli/common/human.h"
#include "cli/common/input_notes.h"
#include "cli/common/process.h"
#include "cli/common/run_fingerprint.h"
#include "cli/common/run_settings.h"
#include "core/error.h"
#include "core/resources.h"
#include "core/workers.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/model/tokenizer.h"
#include "io/shard/format.h"
#include "io/shard/run_reader.h"
#include "io/text/input/text_source.h"
#include "io/text/segment/characters.h"

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

namespace {

/// Returns the requested model. InputError if it is not the run's model.
LoadedModel matching_model(const NeighborRequest& request, const std::string& name,
                           const Manifest& manifest) {
  LoadedModel model = load_model(request.model);
  const std::string expected = component(manifest.provenance, "model");
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

namespace {

// Number of tokens that are compared at a time.
constexpr std::size_t kTokens = 256;

/// Compares queries with the activations of the pipeline, and keeps the sentences of the nearest
/// tokens so far.
class SearchingSink final : public ActivationSink, public TokenPlaces {
 public:
  SearchingSink(const NeighborRequest& request, const NeighborSearch& search,
                std::span<const std::string> queries, std::size_t values)
      : request_(request),
        search_(search),
        queries_(queries),
        values_(values),
        results_(search.begin()) {}

  void write(const ActivationBatch& batch) override;
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

  std::uint64_t tokens() const { return tokens_; }
  const NeighborSearch::Results& results() const { return results_; }

  std::string word(std::uint64_t token) override { return occurrence(token).word; }
  NeighborAnswer::Occurrence occurrence(std::uint64_t token) override { return kept_.at(token); }

 private:
  void keep_places(const ActivationBatch& batch, const std::vector<std::uint64_t>& begins);

  const NeighborRequest& request_;
  const NeighborSearch& search_;
  std::span<const std::string> queries_;
  std::size_t values_;
  NeighborSearch::Results results_;
  std::uint64_t tokens_ = 0;
  std::map<std::uint64_t, NeighborAnswer::Occurrence> kept_;
};

void SearchingSink::write(const ActivationBatch& batch) {
  std::vector<std::uint64_t> begins;  // first tokens of the sentences, numbered in the corpus
  std::uint64_t end = tokens_;
  for (const Sentence& sentence : batch.sentences) {
    begins.push_back(end);
    end += sentence.size();
  }
  const auto accepts = [&](std::size_t query, std::uint64_t token) {
    if (request_.words == WordFilter::any) return true;
    const auto after = std::ranges::upper_bound(begins, token);
    const auto number = static_cast<std::size_t>(after - begins.begin()) - 1;
    const std::string_view word = batch.sentences[number].token(token - begins[number]);
    return is_wanted(request_.words, fold_case(word), queries_[query]);
  };
  for (std::uint64_t token = tokens_; token < end; token += kTokens) {
    const std::size_t count = std::min<std::uint64_t>(kTokens, end - token);
    search_.search({token, count, batch.activations.data() + (token - tokens_) * values_, nullptr},
                   accepts, results_);
  }
  keep_places(batch, begins);
  tokens_ = end;
}

void SearchingSink::keep_places(const ActivationBatch& batch,
                                const std::vector<std::uint64_t>& begins) {
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
    const std::size_t place = token - begins[number];
    kept[token] = {
        0,    std::string(sentence.token(place)), sentence.document->id, sentence.line, sentence,
        place};
  };
  for (const NearestTokens& nearest : results_.occurrences) {
    for (const Neighbor& near : nearest.tokens()) keep(near.token);
  }
  for (const NearestWords& nearest : results_.words) {
    for (const Neighbor& near : nearest.tokens()) keep(near.token);
  }
  kept_ = std::move(kept);
}

class TextCorpus final : public NeighborCorpus {
 public:
  TextCorpus(const NeighborRequest& request, RunListener& listener)
      : request_(request),
        listener_(listener),
        input_(with_files(request)),
        text_(open_source(input_)),
        encoder_(load(), options(), request.precision.value_or(Precision::float32)),
        layers_(chosen_layers(encoder_.layout(), request.layer)) {}

  const std::string& layer() const override { return layers_.context.name; }
  const InputOptions& reading() const override { return input_; }
  bool is_kept() const override { return false; }
  std::vector<NeighborAnswer> search(std::span<const BracketedQuery> queries) override;

 private:
  static InputOptions with_files(const NeighborRequest& request) {
    InputOptions input = request.input;
    input.files = request.corpus;
    input.tokenizer = choose_tokenizer(input.request, locate_model(request.model));
    input.max_sentence_tokens = kDefaultMaxSentenceTokens;
    return input;
  }
  EmbedOptions options() const {
    EmbedOptions options;
    options.threads = request_.threads;
    return options;
  }
  LoadedModel load() const {
    LoadedModel model = load_model(request_.model);
    note_tokenizer(listener_, model, input_);
    return model;
  }

  const NeighborRequest& request_;
  RunListener& listener_;
  InputOptions input_;
  std::unique_ptr<TextSource> text_;
  QueryEncoder encoder_;
  NeighborLayers layers_;
};

std::vector<NeighborAnswer> TextCorpus::search(std::span<const BracketedQuery> queries) {
  const std::vector<std::string> words = folded_words(request_, queries);
  const NeighborSearch search = begin_search(request_, layers_, encoder_.vectors(queries));
  SearchingSink sink(request_, search, words, static_cast<std::size_t>(layers_.values));
  const auto show = [&](const EmbedProgress& done) {
    listener_.progressed({static_cast<std::uint64_t>(done.computed_tokens),
                          text_->fraction(done.computed_tokens), ""},
                         0);
  };
  show({});
  embed(encoder_.model(), *text_, sink, encoder_.options(), kNeverStop, show);
  listener_.progress_ended();
  if (sink.tokens() == 0) {
    throw InputError(request_.corpus.front() + ": has no token; expected text to search");
  }
  note_input(listener_, text_->counters());
  note_count(
      listener_, text_->cut_sentences(), "sentence",
      "of more than " + human_count(kDefaultMaxSentenceTokens, "token") + ", cut into pieces");
  return answers(request_, sink.results(), words, sink);
}

}  // namespace

std::unique_ptr<NeighborCorpus> open_text_corpus(const NeighborRequest& request,
                                                 RunListener& listener) {
  return std::make_unique<TextCorpus>(request, listener);
}

}  // namespace elmo

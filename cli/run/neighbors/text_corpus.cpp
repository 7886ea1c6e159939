// Text that is embedded once and searched meanwhile for all queries.
#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "cli/numbers/human.h"
#include "cli/process/signals.h"
#include "cli/run/embed_input.h"
#include "cli/run/input_notes.h"
#include "cli/run/neighbors/corpus.h"
#include "core/error.h"
#include "io/model/tokenizer_choice.h"
#include "io/text/segment/case.h"

namespace elmo {
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
        text_(input_, kDefaultMaxSentenceTokens, kNeverStop),
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
  EmbedInput text_;
  QueryEncoder encoder_;
  NeighborLayers layers_;
};

std::vector<NeighborAnswer> TextCorpus::search(std::span<const BracketedQuery> queries) {
  const std::vector<std::string> words = folded_words(request_, queries);
  const NeighborSearch search = begin_search(request_, layers_, encoder_.vectors(queries));
  SearchingSink sink(request_, search, words, static_cast<std::size_t>(layers_.values));
  const auto show = [&](const EmbedProgress& done) {
    listener_.progressed({static_cast<std::uint64_t>(done.computed_tokens),
                          text_.fraction(done.computed_tokens), ""},
                         0);
  };
  show({});
  embed(encoder_.model(), text_, sink, encoder_.options(), kNeverStop, show);
  listener_.progress_ended();
  if (sink.tokens() == 0) {
    throw InputError(request_.corpus.front() + ": has no token; expected text to search");
  }
  note_input(listener_, text_.counters());
  note_count(
      listener_, text_.cut_sentences(), "sentence",
      "of more than " + human_count(kDefaultMaxSentenceTokens, "token") + ", cut into pieces");
  return answers(request_, sink.results(), words, sink);
}

}  // namespace

std::unique_ptr<NeighborCorpus> open_text_corpus(const NeighborRequest& request,
                                                 RunListener& listener) {
  return std::make_unique<TextCorpus>(request, listener);
}

}  // namespace elmo

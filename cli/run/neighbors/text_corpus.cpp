// Text that is embedded once, all queries looking on.
#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "cli/flags/input.h"
#include "cli/process/signals.h"
#include "cli/report/progress.h"
#include "cli/report/tokenizer_warning.h"
#include "cli/run/embed_input.h"
#include "cli/run/neighbors/corpus.h"
#include "core/error.h"
#include "io/text/segment/fold_case.h"

namespace elmo {
namespace {

// Tokens that are compared together.
constexpr std::size_t kTokens = 256;

/// Holds queries against what the pipeline computes, and keeps the sentences of what is nearest so
/// far.
class SearchingSink final : public ActivationSink, public TokenPlaces {
 public:
  SearchingSink(const NeighborFlags& flags, const NeighborSearch& search,
                std::span<const std::string> queries, std::size_t values)
      : flags_(flags),
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

  const NeighborFlags& flags_;
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
    if (flags_.words == WordFilter::any) return true;
    const auto after = std::ranges::upper_bound(begins, token);
    const auto number = static_cast<std::size_t>(after - begins.begin()) - 1;
    const std::string_view word = batch.sentences[number].token(token - begins[number]);
    return is_wanted(flags_.words, fold_case(word), queries_[query]);
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
  explicit TextCorpus(const NeighborFlags& flags)
      : flags_(flags),
        input_(with_files(flags)),
        text_(input_, kDefaultMaxSentenceTokens, kNeverStop),
        encoder_(load(), options(), flags.precision.value_or(Precision::float32)),
        layers_(chosen_layers(encoder_.layout(), flags.layer)) {}

  const std::string& layer() const override { return layers_.context.name; }
  const InputOptions& reading() const override { return input_; }
  bool is_kept() const override { return false; }
  std::vector<NeighborAnswer> search(std::span<const BracketedQuery> queries) override;

 private:
  static InputOptions with_files(const NeighborFlags& flags) {
    InputOptions input = flags.input;
    input.files = flags.corpus;
    return input;
  }
  EmbedOptions options() const {
    EmbedOptions options;
    options.threads = flags_.threads;
    return options;
  }
  LoadedModel load() const {
    LoadedModel model = load_model(flags_.model);
    warn_of_tokenizer(Report(flags_.quiet), model, input_);
    return model;
  }

  const NeighborFlags& flags_;
  InputOptions input_;
  EmbedInput text_;
  QueryEncoder encoder_;
  NeighborLayers layers_;
};

std::vector<NeighborAnswer> TextCorpus::search(std::span<const BracketedQuery> queries) {
  const std::vector<std::string> words = folded_words(flags_, queries);
  const NeighborSearch search = begin_search(flags_, layers_, encoder_.vectors(queries));
  SearchingSink sink(flags_, search, words, static_cast<std::size_t>(layers_.values));
  Progress progress(flags_.quiet);
  const auto show = [&](const EmbedProgress& done) {
    progress.show({static_cast<std::uint64_t>(done.computed_tokens),
                   text_.fraction(done.computed_tokens), ""});
  };
  embed(encoder_.model(), text_, sink, encoder_.options(), kNeverStop, show);
  progress.clear();
  if (sink.tokens() == 0) {
    throw InputError(flags_.corpus.front() + ": has no token; expected text to search");
  }
  const Report report(flags_.quiet);
  report_input(report, text_.counters());
  report.count(
      text_.cut_sentences(), "sentence",
      "of more than " + human_count(kDefaultMaxSentenceTokens, "token") + ", cut into pieces");
  return answers(flags_, sink.results(), words, sink);
}

}  // namespace

std::unique_ptr<NeighborCorpus> open_text_corpus(const NeighborFlags& flags) {
  return std::make_unique<TextCorpus>(flags);
}

}  // namespace elmo

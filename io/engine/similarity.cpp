#include "io/engine/similarity.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "core/analysis/rank_statistics.h"
#include "core/error.h"
#include "core/inference/activations.h"
#include "core/inference/output_layers.h"
#include "core/text.h"
#include "io/engine/query.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/input/text_lines.h"

namespace elmo {
namespace {

// Pairs that are computed together.
constexpr std::size_t kPairsTogether = 1024;

/// Reads pairs.
class PairReader {
 public:
  explicit PairReader(const InputOptions& reading) : reading_(reading) {}

  PairGold gold() const { return gold_; }

  /// Reads a line, and appends its two queries.
  UsePair read(std::string_view line, std::uint64_t number, std::vector<BracketedQuery>& queries) {
    const std::vector<std::string_view> columns = split(line, '\t');
    const bool wic = columns.size() == 5 || columns.size() == 6;
    if (!wic && columns.size() != 2 && columns.size() != 3) {
      throw InputError("found " + human_count(columns.size(), "column") +
                       "; expected two sentences with one word in [brackets] each, or WiC's "
                       "columns (target, part of speech, i-j, two sentences), and perhaps gold");
    }
    const std::size_t first = queries.size();
    if (wic) {
      const auto [one, other] = wic_words(columns[2]);
      queries.push_back(read_token_query(columns[3], one));
      queries.push_back(read_token_query(columns[4], other));
    } else {
      queries.push_back(read_bracketed_query(columns[0], reading_));
      queries.push_back(read_bracketed_query(columns[1], reading_));
    }
    UsePair pair{number, {}, read_gold(columns.size() % 3 == 0 ? columns.back() : ""), {}};
    for (std::size_t k = 0; k < 2; ++k) {
      const BracketedQuery& query = queries[first + k];
      pair.words[k] = query.sentence.text(query.begin, query.end);
    }
    return pair;
  }

 private:
  /// Parses "i-j".
  static std::pair<std::size_t, std::size_t> wic_words(std::string_view text) {
    const std::vector<std::string_view> parts = split(text, '-');
    if (parts.size() == 2) {
      const auto one = number_of<std::size_t>(parts[0]);
      const auto other = number_of<std::size_t>(parts[1]);
      if (one && other) return {*one, *other};
    }
    throw InputError("found '" + excerpt(text) +
                     "' in the third of WiC's columns; expected two numbers such as 4-2");
  }

  double read_gold(std::string_view text) {
    const bool label = text == "T" || text == "F";
    const std::optional<double> rating = number_of<double>(text);
    if (!text.empty() && !label && !(rating && std::isfinite(*rating))) {
      throw InputError("found the gold '" + excerpt(text) + "'; expected a number, or T or F");
    }
    const PairGold found = text.empty() ? PairGold::none
                           : label      ? PairGold::label
                                        : PairGold::rating;
    if (!std::exchange(begun_, true)) gold_ = found;
    if (found != gold_) {
      constexpr std::array kNames{"no gold", "a number as gold", "T or F as gold"};
      throw InputError(std::string("found ") + kNames[static_cast<std::size_t>(found)] +
                       "; expected " + kNames[static_cast<std::size_t>(gold_)] +
                       ", as in the first pair");
    }
    return label ? static_cast<double>(text == "T") : rating.value_or(0);
  }

  const InputOptions& reading_;
  bool begun_ = false;
  PairGold gold_ = PairGold::none;
};

double cosine(std::span<const float> a, std::span<const float> b) {
  double products = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    products += double{a[i]} * double{b[i]};
    squares_a += double{a[i]} * double{a[i]};
    squares_b += double{b[i]} * double{b[i]};
  }
  const double lengths = std::sqrt(squares_a * squares_b);
  return lengths > 0 ? products / lengths : 0;
}

/// Compares the cosines of each layer with gold.
void add_agreement(SimilarityOutcome& outcome) {
  if (outcome.gold == PairGold::none) return;
  outcome.agreement = {{"spearman", {}}};
  if (outcome.gold == PairGold::label) {
    outcome.agreement = {{"auc", {}}, {"accuracy", {}}, {"threshold", {}}};
  }
  std::vector<double> gold;
  for (const UsePair& pair : outcome.pairs) gold.push_back(pair.gold);
  for (std::size_t layer = 0; layer < outcome.layers.size(); ++layer) {
    std::vector<double> cosines;
    for (const UsePair& pair : outcome.pairs) cosines.push_back(pair.cosines[layer]);
    if (outcome.gold == PairGold::rating) {
      outcome.agreement[0].second.push_back(spearman(cosines, gold));
      continue;
    }
    const auto score = binary_score(cosines, {gold.begin(), gold.end()});
    std::array<std::optional<double>, 3> figures;
    if (score) figures = {score->auc, score->accuracy, score->threshold};
    for (std::size_t k = 0; k < figures.size(); ++k) {
      outcome.agreement[k].second.push_back(figures[k]);
    }
  }
}

}  // namespace

SimilarityOutcome run_similarity(const SimilarityRequest& request, RunListener& listener) {
  OpenedModel opened = open_model(request.model, request.input.request);
  InputOptions reading = request.input;
  reading.tokenizer = opened.tokenizer;
  note_tokenizer(listener, opened.loaded, reading);
  const Bilm model = opened.packed(request.precision);
  const EmbedOptions options;
  const ActivationLayout layout = activation_layout(model.options(), options);
  const std::vector<TokenLayer> layers = token_layers(layout);
  const auto values = static_cast<std::size_t>(layout.values_per_token());

  SimilarityOutcome outcome;
  for (const TokenLayer& layer : layers) outcome.layers.push_back(layer.name);
  PairReader reader(reading);
  std::vector<BracketedQuery> queries;  // of the last pairs
  std::uint64_t tokens = 0;
  const auto compute = [&] {
    const std::vector<float> vectors =
        query_vectors(model, options, queries, {.threads = request.threads});
    for (std::size_t query = 0; query < queries.size(); query += 2) {
      UsePair& pair = outcome.pairs[outcome.pairs.size() - (queries.size() - query) / 2];
      for (const TokenLayer& layer : layers) {
        const auto vector = [&](std::size_t of) {
          return std::span(vectors).subspan(of * values + static_cast<std::size_t>(layer.begin),
                                            static_cast<std::size_t>(layer.width));
        };
        pair.cosines.push_back(cosine(vector(query), vector(query + 1)));
      }
      tokens += queries[query].sentence.size() + queries[query + 1].sentence.size();
    }
    queries.clear();
    listener.progressed({tokens, std::nullopt, human_count(outcome.pairs.size(), "pair")}, 0);
  };
  for_each_line(request.file, [&](std::string_view line, std::uint64_t number) {
    outcome.pairs.push_back(reader.read(line, number, queries));
    if (queries.size() == 2 * kPairsTogether) compute();
  });
  if (!queries.empty()) compute();
  listener.progress_ended();
  if (outcome.pairs.empty()) {
    throw InputError(shown_name(request.file) + ": found no pair; expected one per line");
  }
  outcome.gold = reader.gold();
  add_agreement(outcome);
  return outcome;
}

}  // namespace elmo

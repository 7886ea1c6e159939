#include "core/tasks/coref/coref_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/random.h"
#include "core/nn/layer.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/coref/coref_scores.h"

namespace elmo {
namespace {

// Lee et al. 2017, section 7.2.
constexpr std::int64_t kMaxSpanTokens = 10;
constexpr double kKeptShare = 0.4;
constexpr std::int64_t kHidden = 150;
// The paper drops 0.5 of the input, and 0.2 of everything else.
constexpr float kInnerDropout = 0.4F;

constexpr std::int64_t kTrainedTokens = 500;
constexpr std::int64_t kSegmentTokens = 2048;
// Number of spans whose pairs are in memory at once.
constexpr std::int64_t kRankedSpans = 512;

// The encoder's dropout masks come first, one per layer.
constexpr std::uint32_t kSpanMask = mask_id(DropoutMask::layer, 1000);
constexpr std::uint32_t kMentionMask = mask_id(DropoutMask::layer, 1010);
constexpr std::uint32_t kAntecedentMask = mask_id(DropoutMask::layer, 1020);

std::int32_t genre_of(const TaskExample& example) { return example.gold->as<CorefGold>().genre; }

std::int32_t speaker_of(const TaskExample& example, std::size_t sentence) {
  const std::vector<std::int32_t>& speakers = example.gold->as<CorefGold>().speakers;
  return speakers.size() <= sentence ? -1 : speakers[sentence];
}

/// The speaker of each token of a run of sentences.
std::vector<std::int32_t> token_speakers(const TaskExample& example, std::size_t begin,
                                         std::size_t end) {
  std::vector<std::int32_t> speakers;
  for (std::size_t n = begin; n < end; ++n) {
    speakers.insert(speakers.end(), static_cast<std::size_t>(example.texts[n].tokens()),
                    speaker_of(example, n));
  }
  return speakers;
}

}  // namespace

CorefModel::CorefModel(const TaskOptions& options, const WordVocabulary& words,
                       std::span<const std::string> genres)
    : dropout_(kInnerDropout * options.dropout),
      vectors_(options, words),
      encoder_("encoder", encoder_options(options, vectors_.columns(), dropout_)),
      output_elmo_(options, encoder_.outputs()),
      spans_({.outputs = output_elmo_.outputs(),
              .inputs = vectors_.columns(),
              .longest = kMaxSpanTokens,
              .hidden = kHidden,
              .dropout = dropout_,
              .mask_id = kSpanMask}),
      mentions_(spans_.columns(), kHidden, dropout_, kMentionMask),
      antecedents_({.columns = spans_.columns().all,
                    .hidden = kHidden,
                    .genres = static_cast<std::int64_t>(genres.size()),
                    .dropout = dropout_,
                    .mask_id = kAntecedentMask}) {}

std::vector<Parameter*> CorefModel::parameters() {
  return parameters_of(vectors_, encoder_, output_elmo_, spans_, mentions_, antecedents_);
}

void CorefModel::initialize(std::uint64_t seed) {
  initialize_layers(seed, vectors_, encoder_, spans_, mentions_, antecedents_);
}

// The whole document if it is short enough. Otherwise a run of sentences from a random one on; the
// start is limited so that the document's end does not shorten the run.
CorefModel::Run CorefModel::cut(const TaskExample& example, std::uint64_t draw) {
  const auto tokens = [&](std::size_t sentence) { return example.texts[sentence].tokens(); };
  std::size_t last = example.texts.size() - 1;
  std::int64_t left = tokens(last);
  while (last > 0 && left + tokens(last - 1) <= kTrainedTokens) left += tokens(--last);
  Run run;
  run.begin = run.end = draw % (last + 1);
  do {
    run.tokens += tokens(run.end++);
  } while (run.end < example.texts.size() && run.tokens + tokens(run.end) <= kTrainedTokens);
  for (std::size_t n = 0; n < run.begin; ++n) run.first_token += tokens(n);
  return run;
}

// Computes everything up to the head scores.
void CorefModel::read(std::span<const TaskText> texts, const PassOptions& options,
                      Workers& workers) {
  sequences_ = {};
  for (const TaskText& text : texts) sequences_.add(text.tokens());
  vectors_.forward(texts, options, workers, input_);
  encoder_.forward(input_, sequences_, options, workers, encoded_);
  output_elmo_.forward(encoded_, texts, options, rows_);
  drop(options, dropout_, mask_id(DropoutMask::output), workers, rows_);
  spans_.read(rows_, input_, options, workers);
}

std::int64_t CorefModel::trained_tokens(TaskBatch) const { return sequences_.rows(); }

// Returns the best spans within these rows, which are whole sentences. Appends their scores to
// mention_scores_.
std::vector<RowSpan> CorefModel::kept_spans(std::int64_t first_row, std::int64_t end_row,
                                            Workers& workers) {
  std::vector<RowSpan> spans = spans_within(sequences_, kMaxSpanTokens);
  std::erase_if(spans,
                [&](const RowSpan& span) { return span.begin < first_row || span.end > end_row; });
  std::vector<float> scores;
  mentions_.score(spans_, spans, workers, scores);
  const auto count =
      static_cast<std::size_t>(std::ceil(kKeptShare * static_cast<double>(end_row - first_row)));
  std::vector<RowSpan> kept;
  for (const std::size_t n : best_spans(spans, scores, count)) {
    kept.push_back(spans[n]);
    mention_scores_.push_back(scores[n]);
  }
  return kept;
}

// Adds gold mentions whatever their scores: only ranked spans have a gradient.
void CorefModel::add_gold(const TaskExample& example, const Run& run, std::int64_t first_row,
                          std::vector<RowSpan>& kept) {
  const std::int64_t shift = first_row - run.first_token;
  for (const MentionCluster& cluster : example.gold->as<CorefGold>().clusters) {
    if (cluster.size() == 1) continue;
    for (const RowSpan& in_document : cluster) {
      const RowSpan mention{in_document.begin + shift, in_document.end + shift};
      if (mention.begin >= first_row && mention.end <= first_row + run.tokens &&
          mention.size() <= kMaxSpanTokens) {
        kept.push_back(mention);
      }
    }
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
}

double CorefModel::train_document(const TaskExample& example, const Run& run,
                                  std::int64_t first_row, std::size_t first_span, double scale,
                                  const PassOptions& options, Workers& workers) {
  std::map<RowSpan, std::int32_t> gold;  // cluster of each mention in rows
  const std::vector<MentionCluster>& expected = example.gold->as<CorefGold>().clusters;
  const std::int64_t shift = first_row - run.first_token;
  for (std::size_t number = 0; number < expected.size(); ++number) {
    for (const RowSpan& mention : expected[number]) {
      gold.emplace(RowSpan{mention.begin + shift, mention.end + shift},
                   static_cast<std::int32_t>(number));
    }
  }
  const std::int64_t end_row = first_row + run.tokens;
  const std::vector<std::int32_t> speakers = token_speakers(example, run.begin, run.end);
  const std::int64_t columns = span_rows_.columns;
  std::size_t end_span = first_span;
  document_.speakers.clear();
  std::vector<std::int32_t> clusters;
  while (end_span < kept_.size() && kept_[end_span].end <= end_row) {
    const RowSpan& span = kept_[end_span++];
    document_.speakers.push_back(speakers[static_cast<std::size_t>(span.begin - first_row)]);
    const auto found = gold.find(span);
    clusters.push_back(found == gold.end() ? -1 : found->second);
  }
  const auto count = static_cast<std::int64_t>(clusters.size());
  document_.rows.resize(count, columns);
  std::copy_n(span_rows_.row(static_cast<std::int64_t>(first_span)), count * columns,
              document_.rows.values.data());
  document_.scores.assign(mention_scores_.begin() + static_cast<std::ptrdiff_t>(first_span),
                          mention_scores_.begin() + static_cast<std::ptrdiff_t>(end_span));
  antecedents_.forward(document_, 0, count, genre_of(example), options, workers, pairs_);
  AlignedVector<float> gradient;
  const double loss =
      antecedent_loss(pairs_, clusters, scale / static_cast<double>(count), gradient);
  Matrix row_gradient(count, columns);
  AlignedVector<float> score_gradient(clusters.size(), 0.0F);
  antecedents_.backward(pairs_, gradient, options, workers, row_gradient, score_gradient);
  std::copy(row_gradient.values.begin(), row_gradient.values.end(),
            span_gradient_.row(static_cast<std::int64_t>(first_span)));
  std::copy(score_gradient.begin(), score_gradient.end(),
            mention_gradient_.begin() + static_cast<std::ptrdiff_t>(first_span));
  return loss * scale / static_cast<double>(count);
}

double CorefModel::train(TaskBatch batch, const PassOptions& options, Workers& workers) {
  const std::uint64_t key = random_key(options.seed, RandomUse::sample, options.step);
  std::vector<Run> runs;
  texts_.clear();
  for (std::size_t n = 0; n < batch.size(); ++n) {
    runs.push_back(cut(batch[n], random_bits(key, n)));
    const auto texts = batch[n].texts.subspan(runs[n].begin, runs[n].end - runs[n].begin);
    texts_.insert(texts_.end(), texts.begin(), texts.end());
  }
  read(texts_, options, workers);
  kept_.clear();
  std::vector<std::size_t> firsts;
  std::int64_t row = 0;
  for (const Run& run : runs) {
    firsts.push_back(kept_.size());
    std::vector<RowSpan> kept = kept_spans(row, row + run.tokens, workers);
    add_gold(batch[firsts.size() - 1], run, row, kept);
    kept_.insert(kept_.end(), kept.begin(), kept.end());
    row += run.tokens;
  }
  spans_.forward(kept_, options, span_rows_);
  mentions_.forward(span_rows_, options, workers, mention_scores_);

  span_gradient_.resize(span_rows_.rows, span_rows_.columns);
  mention_gradient_.assign(kept_.size(), 0.0F);
  double loss = 0.0;
  row = 0;
  for (std::size_t n = 0; n < batch.size(); ++n) {
    // Each document has its own masks.
    PassOptions own = options;
    own.seed = random_bits(options.seed, n);
    loss += train_document(batch[n], runs[n], row, firsts[n],
                           1.0 / static_cast<double>(batch.size()), own, workers);
    row += runs[n].tokens;
  }

  Matrix gradient;
  Matrix input_gradient;
  mentions_.backward(mention_gradient_, options, workers, gradient);
  add(gradient.values.data(), static_cast<std::int64_t>(gradient.values.size()),
      span_gradient_.values.data());
  spans_.backward(span_gradient_, options, workers, gradient, input_gradient);
  drop(options, dropout_, mask_id(DropoutMask::output), workers, gradient);
  Matrix hidden_gradient;
  loss += output_elmo_.backward(gradient, options, hidden_gradient);
  encoder_.backward(hidden_gradient, options, workers, gradient);
  add(input_gradient.values.data(), static_cast<std::int64_t>(input_gradient.values.size()),
      gradient.values.data());
  return loss + vectors_.backward(gradient, options, workers);
}

ClusterPrediction CorefModel::predict_document(const TaskExample& example, Workers& workers) {
  std::vector<RowSpan> mentions;  // all kept spans, in tokens of the document
  std::vector<MentionLink> links;
  document_ = {};
  std::int64_t first_token = 0;
  for (std::size_t begin = 0; begin < example.texts.size();) {
    std::size_t end = begin;
    std::int64_t tokens = 0;
    while (end < example.texts.size() && tokens < kSegmentTokens) {
      tokens += example.texts[end++].tokens();
    }
    read(example.texts.subspan(begin, end - begin), {}, workers);
    mention_scores_.clear();
    kept_ = kept_spans(0, tokens, workers);
    spans_.forward(kept_, {}, span_rows_);
    const std::vector<std::int32_t> speakers = token_speakers(example, begin, end);

    // Drops spans that are too far back.
    const std::int64_t gone =
        std::max<std::int64_t>(0, document_.rows.rows - AntecedentScorer::kWindow);
    const auto gone_at = static_cast<std::ptrdiff_t>(gone);
    document_.rows.values.erase(document_.rows.values.begin(),
                                document_.rows.values.begin() + gone_at * span_rows_.columns);
    document_.scores.erase(document_.scores.begin(), document_.scores.begin() + gone_at);
    document_.speakers.erase(document_.speakers.begin(), document_.speakers.begin() + gone_at);
    const std::int64_t first = document_.rows.rows - gone;
    document_.rows.values.insert(document_.rows.values.end(), span_rows_.values.begin(),
                                 span_rows_.values.end());
    document_.rows.reshape(first + span_rows_.rows, span_rows_.columns);
    document_.scores.insert(document_.scores.end(), mention_scores_.begin(), mention_scores_.end());
    for (const RowSpan& span : kept_) {
      document_.speakers.push_back(speakers[static_cast<std::size_t>(span.begin)]);
      mentions.push_back({span.begin + first_token, span.end + first_token});
    }

    const std::int64_t all = document_.rows.rows;
    const auto oldest = static_cast<std::int64_t>(mentions.size()) - all;
    for (std::int64_t from = first; from < all; from += kRankedSpans) {
      const std::int64_t to = std::min(from + kRankedSpans, all);
      antecedents_.forward(document_, from, to, genre_of(example), {}, workers, pairs_);
      for (std::int64_t span = from; span < to; ++span) {
        const std::int32_t antecedent =
            best_antecedent(pairs_, static_cast<std::size_t>(span - from));
        if (antecedent < 0) continue;
        links.push_back({static_cast<std::size_t>(oldest + span),
                         static_cast<std::size_t>(oldest + antecedent)});
      }
    }
    first_token += tokens;
    begin = end;
  }
  return ClusterPrediction(linked_clusters(links, mentions));
}

std::vector<PredictionPointer> CorefModel::predict(TaskBatch batch, Workers& workers) {
  std::vector<PredictionPointer> predictions;
  for (const TaskExample& example : batch) {
    predictions.push_back(std::make_shared<ClusterPrediction>(predict_document(example, workers)));
  }
  return predictions;
}

TaskKind coref_kind() {
  return {.name = "coref",
          .summary = "spans of a document that refer to the same thing, by span ranking",
          .shape = {.records = true, .segments = true},
          .defaults = {{.hidden = 100}, {.batch = 1, .rate = 0.001F, .average = 0.999F}},
          .paper = {{.hidden = 200}, {.batch = 1, .rate = 0.001F}},
          .make = make_task_model<CorefModel>,
          .metric = [](const std::vector<std::string>&) { return kF1Metric; },
          .scores = [](const std::vector<std::string>&, const LabelSet&)
              -> std::unique_ptr<TaskScores> { return std::make_unique<CorefScores>(); }};
}

}  // namespace elmo

#include "core/analysis/probe.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/nn/cross_entropy.h"
#include "core/train/optimizer.h"
#include "core/workers.h"

namespace elmo {

std::vector<ProbedLayer> probed_layers(const BilmShape& bilm) {
  const std::int64_t width = bilm.projection;
  std::vector<ProbedLayer> layers{{"x", 0, width}};
  for (std::int64_t j = 1; j <= bilm.layers; ++j) {
    const std::string number = std::to_string(j);
    const std::int64_t begin = (2 * j - 1) * width;
    layers.push_back({"forward_" + number, begin, width});
    layers.push_back({"backward_" + number, begin + width, width});
    layers.push_back({number, begin, 2 * width});
  }
  layers.push_back({"mix", 0, bilm.mix_columns(), true});
  return layers;
}

Probe::Probe(const ProbedLayer& layer, const BilmShape& bilm, std::int64_t labels, float factor)
    : layer_(layer), factor_(factor), linear_(layer.name, layer.columns, labels) {
  if (!layer.mixed) return;
  mix_.emplace(layer.name,
               ScalarMix::Options{.layers = bilm.layers, .projection = bilm.projection});
}

void Probe::forward(std::span<const float> activations, std::int64_t tokens) {
  input_.resize(tokens, layer_.columns);
  if (mix_) {
    mix_->forward(std::span(&activations, 1), {}, input_, 0);
  } else {
    const auto values = static_cast<std::int64_t>(activations.size()) / tokens;
    copy_rows({activations.data() + layer_.column, tokens, layer_.columns, values}, input_.view());
  }
  for (float& value : input_.values) value *= factor_;
  linear_.forward(input_, logits_);
}

double Probe::train(std::span<const float> activations, std::span<const std::int32_t> labels) {
  const auto tokens = static_cast<std::int64_t>(labels.size());
  forward(activations, tokens);
  const float scale = 1.0F / static_cast<float>(tokens);
  const double loss = softmax_cross_entropy(logits_, labels, scale);
  linear_.backward(logits_, mix_ ? &input_gradient_ : nullptr);
  if (mix_) {
    for (float& value : input_gradient_.values) value *= factor_;
    mix_->backward(input_gradient_, 0, {});
  }
  return loss / static_cast<double>(tokens);
}

void Probe::predict(std::span<const float> activations, std::span<std::int32_t> labels) {
  forward(activations, static_cast<std::int64_t>(labels.size()));
  for (std::size_t token = 0; token < labels.size(); ++token) {
    const float* logits = logits_.row(static_cast<std::int64_t>(token));
    labels[token] =
        static_cast<std::int32_t>(std::max_element(logits, logits + logits_.columns) - logits);
  }
}

std::vector<float> Probe::shares() const { return mix_ ? mix_->shares() : std::vector<float>{}; }

std::vector<float> layer_scales(std::span<const float> sample, const BilmShape& bilm) {
  const std::int64_t width = bilm.projection;
  std::vector<double> squares(static_cast<std::size_t>(bilm.rows()), 0.0);
  for (std::size_t at = 0; at < sample.size();) {
    for (double& sum : squares) {
      sum += squared_norm(sample.data() + at, width);
      at += static_cast<std::size_t>(width);
    }
  }
  const double tokens =
      static_cast<double>(sample.size()) / static_cast<double>(bilm.rows() * width);
  std::vector<float> scales;
  for (const ProbedLayer& layer : probed_layers(bilm)) {
    const std::int64_t rows = layer.mixed ? bilm.rows() : layer.columns / width;
    const auto first = squares.begin() + (layer.mixed ? 0 : layer.column / width);
    const double mean =
        std::accumulate(first, first + rows, 0.0) / (tokens * static_cast<double>(rows * width));
    scales.push_back(mean > 0.0 ? static_cast<float>(1.0 / std::sqrt(mean)) : 1.0F);
  }
  return scales;
}

namespace {

// Number of tokens to predict at a time.
constexpr std::uint64_t kPredicted = 2048;

/// A probe, and its state when it was best on dev.
struct Trained {
  explicit Trained(Probe new_probe) : probe(std::move(new_probe)) {}

  Probe probe;
  std::vector<std::int32_t> predicted;  // [dev tokens], with the current weights
  double loss = 0.0;                    // of the current batch

  std::vector<AlignedVector<float>> best_values;  // one array per parameter
  std::vector<std::int32_t> best_predicted;
  std::uint64_t best_correct = 0;
  int best_epoch = 0;
};

/// The probes with the same weight decay, and their optimizer.
class Family {
 public:
  /// `scales`: see layer_scales().
  Family(const BilmShape& bilm, std::int64_t labels, std::span<const float> scales,
         float weight_decay)
      : weight_decay_(weight_decay) {
    for (const ProbedLayer& layer : probed_layers(bilm)) {
      const float scale = scales[trained_.size()];
      trained_.push_back(std::make_unique<Trained>(Probe(layer, bilm, labels, scale)));
      for (Parameter* parameter : trained_.back()->probe.parameters()) {
        parameters_.push_back(parameter);
      }
    }
    for (Parameter* parameter : parameters_) parameter->clear_gradient();
    optimizer_.emplace(OptimizerOptions{.weight_decay = weight_decay}, parameters_);
  }

  float weight_decay() const { return weight_decay_; }
  std::vector<std::unique_ptr<Trained>>& trained() { return trained_; }

  void apply(std::uint64_t step, float rate, Workers& workers) {
    optimizer_->apply(step, rate, 1.0F, workers);
    for (Parameter* parameter : parameters_) parameter->clear_gradient();
  }

 private:
  float weight_decay_;
  std::vector<std::unique_ptr<Trained>> trained_;
  std::vector<Parameter*> parameters_;
  std::optional<ParameterOptimizer> optimizer_;
};

class ProbeTraining {
 public:
  ProbeTraining(const ProbedCorpus& train, const BilmShape& bilm, std::int64_t labels,
                const ProbeOptions& options, const std::atomic<bool>& stop)
      : train_(train),
        options_(options),
        stop_(stop),
        stream_(*train.activations, options.seed),
        values_(static_cast<std::size_t>(train.activations->layout().values_per_token())) {
    stream_.begin_epoch(0);
    stream_.next();
    const std::vector<float> scales = layer_scales(stream_.activations(), bilm);
    for (const float decay : options.weight_decays) {
      families_.push_back(std::make_unique<Family>(bilm, labels, scales, decay));
      for (const auto& trained : families_.back()->trained()) all_.push_back(trained.get());
    }
    // The widest probes are last; they start first.
    std::ranges::reverse(all_);
    workers_.emplace(std::clamp(options.threads, 1, static_cast<int>(all_.size())));
  }

  /// Trains one epoch. Returns false if it was stopped.
  bool train_epoch(int epoch, const std::function<void(const ProbeProgress&)>& show) {
    const std::uint64_t tokens = train_.activations->token_count();
    const std::uint64_t all_tokens = tokens * static_cast<std::uint64_t>(options_.epochs);
    std::vector<std::int32_t> labels;
    stream_.begin_epoch(static_cast<std::uint64_t>(epoch));
    while (stream_.next()) {
      labels.clear();
      for (const std::uint64_t token : stream_.tokens()) {
        labels.push_back(train_.labels->labels[token]);
      }
      const auto batch = static_cast<std::size_t>(options_.batch_tokens);
      for (std::size_t begin = 0; begin < labels.size(); begin += batch) {
        if (stop_) return false;
        const std::size_t size = std::min(batch, labels.size() - begin);
        const double done = static_cast<double>(tokens_done_) / static_cast<double>(all_tokens);
        train_batch(stream_.activations().subspan(begin * values_, size * values_),
                    std::span(labels).subspan(begin, size),
                    options_.rate * static_cast<float>(1.0 - done));
        tokens_done_ += size;
        show({epoch + 1, tokens_done_, all_tokens});
      }
    }
    return true;
  }

  /// Predicts the corpus with the current weights of all probes. Returns false if it was stopped.
  bool predict(const ProbedCorpus& corpus) {
    const std::uint64_t tokens = corpus.activations->token_count();
    for (Trained* trained : all_) trained->predicted.resize(tokens);
    AlignedVector<float> activations;
    for (std::uint64_t begin = 0; begin < tokens; begin += kPredicted) {
      if (stop_) return false;
      const std::uint64_t size = std::min(kPredicted, tokens - begin);
      activations.resize(size * values_);
      corpus.activations->read_activations({begin, begin + size}, activations);
      workers_->run(all_.size(), [&](std::size_t i) {
        all_[i]->probe.predict(activations, std::span(all_[i]->predicted).subspan(begin, size));
      });
    }
    return true;
  }

  /// Keeps the weights of each probe whose last predictions are its best on dev so far.
  void keep_best(const LabelCorpus& dev, int epoch) {
    for (Trained* trained : all_) {
      std::uint64_t correct = 0;
      for (std::size_t token = 0; token < dev.tokens(); ++token) {
        if (trained->predicted[token] == dev.labels[token]) ++correct;
      }
      if (trained->best_epoch > 0 && correct <= trained->best_correct) continue;
      trained->best_correct = correct;
      trained->best_epoch = epoch + 1;
      trained->best_predicted = trained->predicted;
      trained->best_values.clear();
      for (const Parameter* parameter : trained->probe.parameters()) {
        trained->best_values.push_back(parameter->values);
      }
    }
  }

  /// Restores every probe's weights that were best on dev.
  void take_best() {
    for (Trained* trained : all_) {
      std::size_t i = 0;
      for (Parameter* parameter : trained->probe.parameters()) {
        parameter->values = trained->best_values[i++];
      }
    }
  }

  /// The best weight decay of each layer. If there is a test set, it must be the corpus predicted
  /// last.
  std::vector<ProbeResult> results(const LabelCorpus& dev, const LabelCorpus* test) {
    std::vector<ProbeResult> results;
    for (std::size_t layer = 0; layer < families_.front()->trained().size(); ++layer) {
      const auto best = std::ranges::max_element(families_, {}, [layer](const auto& family) {
        return family->trained()[layer]->best_correct;
      });
      const Trained& trained = *(*best)->trained()[layer];
      ProbeResult result;
      result.layer = trained.probe.layer().name;
      result.epoch = trained.best_epoch;
      result.weight_decay = (*best)->weight_decay();
      result.dev = score_labels(dev, trained.best_predicted, options_.seed);
      if (test != nullptr) result.test = score_labels(*test, trained.predicted, options_.seed);
      result.shares = trained.probe.shares();
      result.gamma = trained.probe.gamma();
      results.push_back(std::move(result));
    }
    return results;
  }

 private:
  void train_batch(std::span<const float> activations, std::span<const std::int32_t> labels,
                   float rate) {
    workers_->run(all_.size(), [&](std::size_t i) {
      all_[i]->loss = all_[i]->probe.train(activations, labels);
    });
    for (const Trained* trained : all_) {
      if (std::isfinite(trained->loss)) continue;
      throw diverged(step_ + 1, "loss of the probe of " + trained->probe.layer().name);
    }
    for (const auto& family : families_) family->apply(step_, rate, *workers_);
    ++step_;
  }

  ProbedCorpus train_;
  const ProbeOptions& options_;
  const std::atomic<bool>& stop_;
  TokenStream stream_;
  std::size_t values_;  // values per token
  std::vector<std::unique_ptr<Family>> families_;
  std::vector<Trained*> all_;
  std::optional<Workers> workers_;
  std::uint64_t step_ = 0;
  std::uint64_t tokens_done_ = 0;
};

}  // namespace

std::optional<std::vector<ProbeResult>> train_probes(
    const ProbedCorpus& train, const ProbedCorpus& dev, const std::optional<ProbedCorpus>& test,
    const BilmShape& bilm, std::int64_t label_count, const ProbeOptions& options,
    const std::atomic<bool>& stop, const std::function<void(const ProbeProgress&)>& show) {
  ProbeTraining training(train, bilm, label_count, options, stop);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    if (!training.train_epoch(epoch, show) || !training.predict(dev)) return std::nullopt;
    training.keep_best(*dev.labels, epoch);
  }
  training.take_best();
  if (test && !training.predict(*test)) return std::nullopt;
  return training.results(*dev.labels, test ? test->labels : nullptr);
}

}  // namespace elmo

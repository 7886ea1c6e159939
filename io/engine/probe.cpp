#include "io/engine/probe.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/analysis/probe_corpus.h"
#include "core/error.h"
#include "core/resources.h"
#include "core/text.h"
#include "io/files/paths.h"
#include "io/labeled/examples.h"
#include "io/tasks/kinds.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

/// A labeled file and its activations.
struct ProbeCorpus {
  LabelCorpus labels;
  std::unique_ptr<ActivationSource> activations;

  ProbedCorpus view() const { return {&labels, activations.get()}; }
};

/// The corpus with the score of each word's most frequent label.
ProbeBaseline baseline(const LabelCorpus& corpus, std::uint64_t seed) {
  const auto unseen = std::ranges::count(corpus.labels, -1);
  return {corpus.sentences(), corpus.tokens(), static_cast<std::uint64_t>(unseen),
          score_labels(corpus, corpus.by_word, seed)};
}

}  // namespace

void validate(const ProbeRequest& request) {
  for (const float decay : request.options.weight_decays) {
    if (decay >= 0) continue;
    throw RequestError(Setting{"weight_decay"} + ": found " +
                       human_number(static_cast<double>(decay), 6) + "; expected no less than 0");
  }
  require_outside_runs(Setting{"output"}, request.picture, request.features.folder);
  require_other_file(Setting{"output"}, request.picture,
                     {request.train, request.dev, request.test});
}

std::optional<ProbeSummary> run_probe(const ProbeRequest& request, RunListener& listener,
                                      const std::function<void(const ProbeProgress&)>& trained,
                                      const std::atomic<bool>& stop) {
  LabelSet labels;  // labels of all files, the training data's first
  const auto open = [&](const std::string& file) {
    if (can_be_read_only_once(file)) {
      throw RequestError(file +
                         ": can be read only once, but labels and sentences are read one after "
                         "the other; give a file");
    }
    return open_examples(
        {.file = file, .form = request.form, .column = request.column, .stop = &stop},
        *labeled_kind("tag"), labels);
  };
  OpenedModel opened = open_model(request.features.model);
  require_other_file(Setting{"output"}, request.picture, files_of(opened.location));
  const WordLabels words(*open(request.train), labels);
  ProbeCorpus train{words.corpus(*open(request.train)), nullptr};
  ProbeCorpus dev{words.corpus(*open(request.dev)), nullptr};
  std::optional<ProbeCorpus> test;
  if (!request.test.empty()) {
    test.emplace(ProbeCorpus{words.corpus(*open(request.test)), nullptr});
  }

  std::optional<ScratchFolder> scratch;
  if (request.features.folder.empty()) scratch.emplace();
  FeatureStore store(std::move(opened.loaded), request.features,
                     scratch ? scratch->path().string() : request.features.folder, listener, stop);
  // Returns false if it was stopped.
  const auto compute = [&](const char* name, const std::string& file, ProbeCorpus& corpus) {
    const std::unique_ptr<ExampleFile> examples = open(file);
    corpus.activations = store.open(name, *texts_of(*examples), corpus.labels.tokens());
    return corpus.activations != nullptr;
  };
  if (!compute("train", request.train, train) || !compute("dev", request.dev, dev) ||
      (test && !compute("test", request.test, *test))) {
    return std::nullopt;
  }

  ProbeOptions options = request.options;
  ProbeSummary summary;
  summary.labels = words.size();
  summary.train_sentences = train.labels.sentences();
  summary.train_tokens = train.labels.tokens();
  summary.dev = baseline(dev.labels, options.seed);
  if (test) summary.test = baseline(test->labels, options.seed);
  std::optional<ProbedCorpus> test_view;
  if (test) test_view = test->view();
  const ModelOptions& bilm = store.options();
  options.threads = threads_or_available(request.features.threads);
  std::optional<std::vector<ProbeResult>> layers = train_probes(
      train.view(), dev.view(), test_view, {bilm.lstm.n_layers, bilm.lstm.projection_dim},
      static_cast<std::int64_t>(words.size()), options, stop, trained);
  listener.progress_ended();
  if (!layers) return std::nullopt;
  summary.layers = *std::move(layers);
  return summary;
}

}  // namespace elmo

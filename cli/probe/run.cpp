#include "cli/probe/run.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/common/human.h"
#include "cli/common/process.h"
#include "core/analysis/probe_corpus.h"
#include "core/error.h"
#include "core/resources.h"
#include "io/labeled/examples.h"
#include "io/labeled/kinds.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

/// A labeled file and its activations.
struct ProbeCorpus {
  LabelCorpus labels;
  std::unique_ptr<ActivationSource> activations;

  ProbedCorpus view() const { return {&labels, activations.get()}; }
};

/// Runs the probes from files to results.
class ProbeRun {
 public:
  ProbeRun(const ProbeRequest& request, RunListener& listener, const std::atomic<bool>& stop)
      : request_(request), listener_(listener), stop_(stop) {}

  std::optional<ProbeSummary> run(const std::function<void(const ProbeProgress&)>& trained) {
    LoadedModel model = load_model(request_.features.model);
    const WordLabels words(*open(request_.train), labels_);
    ProbeCorpus train{words.corpus(*open(request_.train)), nullptr};
    ProbeCorpus dev{words.corpus(*open(request_.dev)), nullptr};
    std::optional<ProbeCorpus> test;
    if (!request_.test.empty()) {
      test.emplace(ProbeCorpus{words.corpus(*open(request_.test)), nullptr});
    }

    std::optional<ScratchFolder> scratch;
    if (request_.features.folder.empty()) scratch.emplace();
    FeatureStore store(std::move(model), request_.features,
                       scratch ? scratch->path().string() : request_.features.folder, listener_,
                       stop_);
    if (!compute(store, "train", request_.train, train) ||
        !compute(store, "dev", request_.dev, dev) ||
        (test && !compute(store, "test", request_.test, *test))) {
      return std::nullopt;
    }
    ProbeSummary summary = this->summary(words, train, dev, test);
    std::optional<ProbedCorpus> test_view;
    if (test) test_view = test->view();
    const ModelOptions& bilm = store.options();
    ProbeOptions options = request_.options;
    options.threads = threads_or_available(request_.features.threads);
    std::optional<std::vector<ProbeResult>> layers = train_probes(
        train.view(), dev.view(), test_view, {bilm.lstm.n_layers, bilm.lstm.projection_dim},
        static_cast<std::int64_t>(words.size()), options, stop_, trained);
    listener_.progress_ended();
    if (!layers) return std::nullopt;
    summary.layers = *std::move(layers);
    return summary;
  }

 private:
  std::unique_ptr<ExampleFile> open(const std::string& file) {
    if (can_be_read_only_once(file)) {
      throw RequestError(file +
                         ": can be read only once, but labels and sentences are read one after "
                         "the other; give a file");
    }
    ExampleInput input;
    input.file = file;
    input.format = request_.format;
    input.column = request_.column;
    input.stop = &stop_;
    return open_examples(input, TaskKind::tag, labels_);
  }

  /// Returns false if it was stopped.
  bool compute(FeatureStore& store, const std::string& name, const std::string& file,
               ProbeCorpus& corpus) {
    const std::unique_ptr<ExampleFile> examples = open(file);
    ExampleTexts texts(*examples);
    corpus.activations = store.open(name, texts, corpus.labels.tokens());
    return corpus.activations != nullptr;
  }

  ProbeSummary summary(const WordLabels& words, const ProbeCorpus& train, const ProbeCorpus& dev,
                       const std::optional<ProbeCorpus>& test) const {
    ProbeSummary summary;
    summary.labels = words.size();
    summary.train_sentences = train.labels.sentences();
    summary.train_tokens = train.labels.tokens();
    summary.dev = baseline(dev.labels);
    if (test) summary.test = baseline(test->labels);
    return summary;
  }
  ProbeBaseline baseline(const LabelCorpus& corpus) const {
    const auto unseen = std::ranges::count(corpus.labels, -1);
    return {corpus.sentences(), corpus.tokens(), static_cast<std::uint64_t>(unseen),
            score_labels(corpus, corpus.by_word, request_.options.seed)};
  }

  const ProbeRequest& request_;
  RunListener& listener_;
  const std::atomic<bool>& stop_;
  LabelSet labels_;  // of all files, those of the training data first
};

}  // namespace

void validate(const ProbeRequest& request) {
  for (const float decay : request.options.weight_decays) {
    if (decay >= 0) continue;
    throw RequestError("--weight-decay: found " + human_number(static_cast<double>(decay), 6) +
                       ", expected no less than 0");
  }
  require_other_file("-o", request.picture, {request.train, request.dev, request.test});
  require_other_file("-o", request.picture, files_of(locate_model(request.features.model)));
}

std::optional<ProbeSummary> run_probe(const ProbeRequest& request, RunListener& listener,
                                      const std::function<void(const ProbeProgress&)>& trained,
                                      const std::atomic<bool>& stop) {
  return ProbeRun(request, listener, stop).run(trained);
}

}  // namespace elmo

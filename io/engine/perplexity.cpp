#include "io/engine/perplexity.h"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "io/model/model.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

SoftmaxLayer load_softmax(const ModelSpec& request, const ModelLocation& location,
                          const ModelOptions& options) {
  std::optional<SoftmaxLayer> softmax = read_softmax(location, options);
  if (!softmax) {
    const std::string model = request.model.empty() ? kDefaultModel : request.model;
    if (location.many_langs) {
      throw InputError(model +
                       ": models of ELMoForManyLangs come without the softmax that they were "
                       "trained with; expected softmax.hdf5 and vocabulary.txt, as 'elmo train' "
                       "leaves them");
    }
    throw InputError(model +
                     ": a model without its softmax and the words it predicts; expected "
                     "softmax.hdf5 and vocabulary.txt beside its weights, or, as published, "
                     "…softmax_weights.hdf5 and vocab-2016-09-10.txt, or vocab.txt beside a "
                     "checkpoint of TensorFlow\n'elmo finetune " +
                     Setting::model + " " + model + "' trains one");
  }
  return std::move(*softmax);
}

}  // namespace

PerplexitySummary run_perplexity(const PerplexityRequest& request, RunListener& listener,
                                 const PredictionReport& predicted) {
  OpenedModel opened = open_model(request.model, request.input.request);
  const LoadedModel& loaded = opened.loaded;
  InputOptions reading = request.input;
  reading.tokenizer = opened.tokenizer;
  reading.max_sentence_tokens = kDefaultMaxSentenceTokens;
  const std::unique_ptr<TextSource> input = open_source(reading);
  const SoftmaxLayer softmax = load_softmax(request.model, opened.location, loaded.options);
  note_tokenizer(listener, loaded, reading);
  const Bilm model = opened.packed(request.precision);
  const auto progressed = [&](const EmbedProgress& done) {
    listener.progressed(progress_of(*input, done), 0);
  };
  PredictionListener each;
  if (predicted) {
    each = [&](const SentencePrediction& prediction) {
      predicted(prediction, softmax.vocabulary.unknown());
    };
  }
  progressed({});
  const auto start = std::chrono::steady_clock::now();
  PerplexitySummary summary;
  summary.result =
      perplexity(model, softmax, *input, request.options, kNeverStop, progressed, each);
  summary.time = std::chrono::steady_clock::now() - start;
  listener.progress_ended();
  if (summary.result.predictions() == 0) {
    throw InputError("the input has no token; nothing to predict");
  }
  if (!std::isfinite(summary.result.perplexity().average)) {
    throw NumericError("the perplexity is infinite; expected a number; the model's weights or " +
                       std::string("those of its softmax are damaged"));
  }
  summary.vocabulary = static_cast<std::uint64_t>(softmax.vocabulary.size());
  summary.cut_sentences = input->cut_sentences();
  summary.input = input->counters();
  return summary;
}

}  // namespace elmo

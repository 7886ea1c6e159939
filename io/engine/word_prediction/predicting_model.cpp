#include "io/engine/word_prediction/predicting_model.h"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/model/model.h"
#include "io/model/weights.h"
#include "io/text/bytes/file_bytes.h"

namespace elmo {
namespace {

SoftmaxLayer load_softmax(const OpenedModel& opened) {
  std::optional<SoftmaxLayer> softmax = read_softmax(opened.location, opened.loaded.options);
  if (softmax) return std::move(*softmax);
  const std::string& model = opened.loaded.name;
  if (opened.location.many_langs) {
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
                   Setting{"model"} + " " + model + "' trains one");
}

}  // namespace

PredictingModel open_predicting_model(const ModelSpec& spec, const TokenizerRequest& tokenizer,
                                      Precision precision) {
  OpenedModel opened = open_model(spec, tokenizer);
  SoftmaxLayer softmax = load_softmax(opened);
  Bilm bilm = opened.packed(precision);
  return {std::move(opened.loaded), std::move(opened.tokenizer), std::move(softmax),
          std::move(bilm)};
}

PredictedText predict_text(const WordPredictionRequest& request, RunListener& listener,
                           const PredictionListener& predicted, const BytesThrough& through) {
  const PredictingModel model =
      open_predicting_model(request.model, request.input.request, request.precision);
  InputOptions reading = request.input;
  reading.tokenizer = model.tokenizer;
  reading.max_sentence_tokens = kDefaultMaxSentenceTokens;
  const std::unique_ptr<TextSource> input = open_source(reading, {.through = through});
  note_tokenizer(listener, model.loaded, reading);
  const auto progressed = [&](const EmbedProgress& done) {
    listener.progressed(progress_of(*input, done), 0);
  };
  progressed({});
  const auto start = std::chrono::steady_clock::now();
  PredictedText text;
  text.done = predict_words(model.bilm, model.softmax, *input, request.options, kNeverStop,
                            progressed, predicted)
                  .progress;
  text.time = std::chrono::steady_clock::now() - start;
  listener.progress_ended();
  if (text.done.tokens == 0) {
    const std::string name = reading.files.empty() ? kStandardInput : reading.files.front();
    throw InputError(name + ": the input has no token; nothing to predict");
  }
  text.vocabulary = static_cast<std::uint64_t>(model.softmax.vocabulary.size());
  text.cut_sentences = input->cut_sentences();
  text.input = input->counters();
  return text;
}

void note_unknown(RunListener& listener, std::uint64_t unknown, std::uint64_t vocabulary) {
  note_count(listener, unknown, "token",
             "not among the " + human_count(vocabulary, "word") +
                 " of the vocabulary, predicted as <UNK>");
}

void note_predicted(RunListener& listener, const PredictedText& text) {
  note_count(listener, text.done.truncated_tokens, "token",
             "longer than the model reads, truncated");
  note_count(
      listener, text.cut_sentences, "sentence",
      "of more than " + human_count(kDefaultMaxSentenceTokens, "token") + ", cut into pieces");
  note_input(listener, text.input);
  listener.note(human_time(text.time) + ", " +
                human_rate(static_cast<double>(text.done.tokens), text.time, "tokens"));
}

PerplexitySummary run_perplexity(const WordPredictionRequest& request, RunListener& listener) {
  PerplexitySummary summary;
  summary.text = predict_text(request, listener, [&](const SentencePrediction& prediction) {
    summary.result.add(prediction);
  });
  if (!std::isfinite(summary.result.perplexity().average)) {
    throw NumericError("the perplexity is infinite; expected a number; the model's weights or " +
                       std::string("those of its softmax are damaged"));
  }
  return summary;
}

}  // namespace elmo

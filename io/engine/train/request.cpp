#include "io/engine/train/request.h"

#include <utility>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

// The learning rate of a model with its softmax. Compared with Adam's 0.001, the model learns 88 to
// 90 % as much of the new text and forgets 49 to 72 % as much of the old text; see TRAINING.md.
constexpr float kContinuedAdamRate = 3e-4F;

TrainingStart new_model(const TrainRequest& request) {
  TrainingStart start;
  start.reading = request.input;
  start.plan = request.plan;
  start.limits = request.limits;
  start.reading.tokenizer = choose_tokenizer(request.input.request);
  start.model = model_options(request.architecture);
  start.name = "random";
  // n_tokens_vocab of an architecture is the maximum number of words.
  if (!start.model.char_cnn && start.limits.max_words == 0) {
    start.limits.max_words = start.model.n_tokens_vocab;
  }
  return start;
}

TrainingStart trained_model(const TrainRequest& request, RunListener& listener) {
  require_other_folder(request.output, model_path(request.model));
  OpenedModel opened = open_model({.model = request.model}, request.input.request);
  const ModelLocation& location = opened.location;
  LoadedModel& model = opened.loaded;
  require_trainable(request.model, location);
  TrainingStart start;
  start.reading = request.input;
  start.plan = request.plan;
  start.limits = request.limits;
  start.reading.tokenizer = opened.tokenizer;
  note_tokenizer(listener, model, start.reading);
  start.softmax = read_softmax(location, model.options);
  const bool continued = start.softmax && !request.new_vocabulary;
  if (continued && request.plan.softmax_steps) {
    throw RequestError(Setting::softmax_steps + " makes sense only with a new softmax, and " +
                       request.model + " has one; " + Setting::new_vocab + " asks for a new one");
  }
  if (!model.options.char_cnn && !model.lexicon.words) {
    throw InputError(request.model +
                     ": lacks vocab.txt; expected it beside the weights, for this is a word-level "
                     "model");
  }
  if (continued) start.plan.adam_rate = kContinuedAdamRate;
  start.model = model.options;
  start.parameters = model.parameters.to_parameters();
  start.words = std::move(model.lexicon.words);
  start.new_vocabulary = request.new_vocabulary;
  start.pretrained = true;
  start.name = "model " + model.fingerprint;
  return start;
}

}  // namespace

TrainingStart training_start(const TrainRequest& request, RunListener& listener) {
  return request.model.empty() ? new_model(request) : trained_model(request, listener);
}

}  // namespace elmo

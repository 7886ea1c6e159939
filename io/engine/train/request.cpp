#include "io/engine/train/request.h"

#include <filesystem>
#include <utility>

#include "core/error.h"
#include "io/engine/model.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/model/weights.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

// The learning rate of a model with its softmax. Compared with Adam's 0.001, the model learns 88 to
// 90 % as much of the new text and forgets 49 to 72 % as much of the old text; see TRAINING.md.
constexpr float kContinuedAdamRate = 3e-4F;

TrainingStart new_model(TrainRequest& request) {
  request.input.tokenizer = choose_tokenizer(request.input.request);
  TrainingStart start;
  start.model = model_options(request.architecture);
  start.name = "random";
  // n_tokens_vocab of an architecture is the maximum number of words.
  if (!start.model.char_cnn && request.limits.max_words == 0) {
    request.limits.max_words = start.model.n_tokens_vocab;
  }
  return start;
}

/// Returns whether the vocabulary of the model is replaced. Options of a new one ask for it.
bool replaces_vocabulary(const TrainRequest& request) {
  return request.new_vocabulary || request.given.contains("--vocab") ||
         request.given.contains("--min-count") || request.given.contains("--max-vocab");
}

TrainingStart trained_model(TrainRequest& request, RunListener& listener) {
  const std::filesystem::path path = model_path(request.model);
  require_other_folder(request.output, path);
  const ModelLocation location = locate_model(path);
  require_trainable(request.model, location);
  LoadedModel model = load_model(location);
  request.input.tokenizer = choose_tokenizer(request.input.request, location);
  note_tokenizer(listener, model, request.input);
  std::optional<SoftmaxLayer> softmax = read_softmax(location, model.options);
  const bool new_vocabulary = replaces_vocabulary(request);
  const bool continued = softmax && !new_vocabulary;
  if (continued && request.plan.softmax_steps) {
    throw RequestError("--softmax-steps makes sense only with a new softmax, and " + request.model +
                       " has one; --new-vocab asks for a new one");
  }
  if (!model.options.char_cnn && !model.lexicon.words) {
    throw InputError(request.model +
                     ": lacks vocab.txt; expected it beside the weights, for this is a word-level "
                     "model");
  }
  if (continued) request.plan.adam_rate = kContinuedAdamRate;
  return {model.options,
          model.parameters.to_parameters(),
          std::move(model.lexicon.words),
          std::move(softmax),
          new_vocabulary,
          true,
          "model " + model.fingerprint};
}

}  // namespace

void validate(const TrainRequest& request) {
  if (request.model.empty()) check_preset_flags(request.architecture);
  check_input_flags(request.given, request.input);
  if (!request.dry_run && request.output.empty()) throw RequestError("--output is required");
  if (!request.dry_run && request.valid.empty()) throw RequestError("--valid is required");
  check_rules(request.given, {{"--json", request.dry_run, "--dry-run"}});
  if (request.dry_run && request.resume) {
    throw RequestError("use --dry-run or --resume, not both: a dry run plans a whole run");
  }
  if (request.resume && request.overwrite) {
    throw RequestError("use --resume or --overwrite, not both");
  }
  if (request.valid == kStandardInput) {
    throw RequestError(
        "--valid: found standard input; expected a file, because it is read many times");
  }
}

TrainingStart training_start(TrainRequest& request, RunListener& listener) {
  return request.model.empty() ? new_model(request) : trained_model(request, listener);
}

}  // namespace elmo

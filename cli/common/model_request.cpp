#include "cli/common/model_request.h"

#include <optional>
#include <utility>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/model.h"

namespace elmo {

std::filesystem::path model_path(const std::string& model) {
  if (is_there(model)) return model;
  return installed_model(model).value_or(model);
}

std::string installed_name(const ModelRequest& request) {
  if (request.model.empty()) return request.options.empty() ? kDefaultModel : "";
  if (is_there(request.model)) return "";
  return installed_model(request.model) ? request.model : "";
}

ModelLocation locate_model(const ModelRequest& request) {
  ModelLocation location;
  if (request.model == kAutoModel) {
    throw RequestError(
        "--model auto chooses by the text that `elmo embed` reads; name a model here");
  }
  if (!request.model.empty()) {
    location = locate_model(model_path(request.model));
  } else if (!request.options.empty() && !request.weights.empty()) {
    location = {request.options, request.weights, std::nullopt, std::nullopt};
  } else if (std::optional<ModelLocation> installed = default_model()) {
    location = *std::move(installed);
  } else {
    throw RequestError(std::string("no model given, and the default, ") + kDefaultModel +
                       ", is not installed: use --model PATH");
  }
  if (!request.vocabulary.empty()) {
    if (location.archive) {
      throw RequestError("--vocab goes with a model in a folder; that of " + request.model +
                         " lies in the archive");
    }
    if (location.many_langs) {
      throw RequestError("--vocab goes with a model in the published layout; that of " +
                         request.model + " has its words in word.dic");
    }
    location.vocabulary = request.vocabulary;
  }
  return location;
}

LoadedModel load_model(const ModelRequest& request) {
  LoadedModel model = load_model(locate_model(request));
  check_vocabulary(request, model.options);
  model.name = request.model;
  if (model.name.empty()) model.name = request.options.empty() ? kDefaultModel : request.weights;
  return model;
}

void check_vocabulary(const ModelRequest& request, const ModelOptions& model) {
  if (request.vocabulary.empty() || !model.char_cnn) return;
  throw RequestError("--vocab goes with a model that reads words; this one reads characters");
}

void require_trainable(const std::string& model, const ModelLocation& location) {
  if (!location.many_langs) return;
  throw RequestError(
      "--model: found a model of ELMoForManyLangs, " + model +
      ", expected one in the published layout, as training writes; "
      "'elmo convert' makes one of a model that reads words alone, or for a list of words");
}

}  // namespace elmo

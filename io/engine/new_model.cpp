#include "io/engine/new_model.h"

#include <filesystem>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/model/parameters.h"
#include "core/text.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"
#include "io/model/convert.h"
#include "io/model/location.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "io/model/tokenizer.h"
#include "io/model/vocabulary.h"
#include "io/model/weights.h"
#include "io/shard/format.h"
#include "io/train/run_folder.h"

namespace elmo {
namespace {

ConvertedModel converted(LoadedModel&& model, const std::string& vocabulary) {
  if (vocabulary.empty()) {
    const bool reads_characters = model.options.char_cnn.has_value();
    try {
      return to_published_layout(std::move(model));
    } catch (const RequestError& error) {
      if (!reads_characters) throw;
      throw RequestError(error.message() + "; with " + Setting{"vocab"} +
                         " FILE, the words it is to know, it becomes a word-level model");
    }
  }
  return to_words(std::move(model),
                  parse_word_list(ModelFile(vocabulary).content(kMaxVocabularyBytes), vocabulary));
}

/// RequestError if a folder holds a run, whose files the new model would replace or join.
void require_no_run(const std::filesystem::path& folder) {
  std::string name = training_run_in(folder);
  if (name.empty() && is_there(folder / shard_format::kManifest)) name = shard_format::kManifest;
  if (name.empty()) return;
  throw RequestError(folder.string() + " holds a run, which has written " + name +
                     "; choose another folder");
}

}  // namespace

void run_init(const InitRequest& request, RunListener& listener) {
  const ModelOptions options = model_options(request.model);
  if (!options.char_cnn && options.n_tokens_vocab == 0) {
    throw InputError(request.model.options +
                     ": lacks n_tokens_vocab; expected the number of words");
  }
  const OutputFolder folder(request.output);
  listener.note(folder.warning());
  require_no_run(request.output);
  require_no_other_model(request.output);
  Parameters parameters(options);
  initialize_parameters(parameters, options, request.seed);
  save_model(request.output, options, parameters, nullptr, {.overwrite = request.overwrite});
  listener.note("a random model of " + human_count(parameters.count()) + " parameters is in " +
                request.output);
}

void run_convert(const ConvertRequest& request, RunListener& listener) {
  OpenedModel opened = open_model({.model = request.model});
  require_other_folder(request.output, opened.path);
  const ModelLocation& location = opened.location;
  LoadedModel& loaded = opened.loaded;
  const std::optional<SoftmaxLayer> softmax = read_softmax(location, loaded.options);
  const std::optional<TokenizerDescription> tokenizer = loaded.tokenizer;
  std::optional<std::string> language;
  if (location.language) language = location.language->content(kMaxLanguageBytes);
  const ConvertedModel model = converted(std::move(opened.loaded), request.vocabulary);

  const OutputFolder folder(request.output);
  listener.note(folder.warning());
  require_no_run(request.output);
  require_no_other_model(request.output);
  save_model(request.output, model.options, model.parameters,
             model.vocabulary ? &*model.vocabulary : nullptr,
             {.overwrite = request.overwrite,
              .dtype = request.dtype,
              .softmax = softmax ? &*softmax : nullptr,
              .tokenizer = tokenizer ? &*tokenizer : nullptr,
              .language = language});
  for (const std::string& loss : model.losses) listener.note(loss);
  if (location.softmax_lacks_words) {
    listener.note("the softmax is left out: its words (vocabulary.txt, vocab.txt) are missing");
  }
  if (!tokenizer && tokenizer_of_family(location) == TokenizerKind::ud) {
    listener.note(
        "raw text is split for it with moses, and for the original with ud; to keep that, use " +
        Setting{"tokenizer"} + " ud");
  }
  listener.note("a model of " + human_count(model.parameters.count()) + " parameters is in " +
                request.output);
}

}  // namespace elmo

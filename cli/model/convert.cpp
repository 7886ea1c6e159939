// `elmo convert`: a model in the layout of AllenNLP and bilm-tf.
#include "io/model/convert.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/common/human.h"
#include "cli/common/model_request.h"
#include "cli/common/option_groups.h"
#include "cli/common/options.h"
#include "cli/common/reporter.h"
#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"
#include "io/model/location.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "io/model/tokenizer.h"
#include "io/model/vocabulary.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

struct ConvertFlags {
  std::string model;
  std::string vocabulary;  ///< file; empty: the model's tokens stay what they are
  std::string output;
  Dtype dtype = Dtype::float32;
  bool overwrite = false;
  bool quiet = false;
};

/// Returns the language file that came with the model, if any, which is copied.
std::optional<std::string> language_text(const ModelLocation& location) {
  if (!location.language) return std::nullopt;
  return read_model_file(location, *location.language, kMaxLanguageBytes);
}

ConvertedModel converted(LoadedModel&& model, const std::string& vocabulary) {
  if (vocabulary.empty()) {
    const bool reads_characters = model.options.char_cnn.has_value();
    try {
      return to_published_layout(std::move(model));
    } catch (const RequestError& error) {
      if (!reads_characters) throw;
      throw RequestError(error.what() + std::string("; with --vocab FILE, the words it is to know, "
                                                    "it becomes a word-level model"));
    }
  }
  return to_words(
      std::move(model),
      parse_word_list(read_model_file({}, vocabulary, kMaxVocabularyBytes), vocabulary));
}

ExitCode run_convert(const ConvertFlags& flags) {
  const Report report(flags.quiet);
  const fs::path path = model_path(flags.model);
  require_other_folder(flags.output, path);
  const ModelLocation location = locate_model(path);
  LoadedModel loaded = load_model(location);
  const std::optional<SoftmaxLayer> softmax = read_softmax(location, loaded.options);
  const std::optional<TokenizerDescription> tokenizer = loaded.tokenizer;
  const std::optional<std::string> language = language_text(location);
  const ConvertedModel model = converted(std::move(loaded), flags.vocabulary);

  make_folder(flags.output);
  const FolderLock lock(flags.output);
  if (!lock.warning().empty()) report.line(lock.warning());
  SaveOptions save;
  save.existing = flags.overwrite ? ExistingModel::replaced : ExistingModel::kept;
  save.dtype = flags.dtype;
  save.softmax = softmax ? &*softmax : nullptr;
  save.tokenizer = tokenizer ? &*tokenizer : nullptr;
  save.language = language;
  save_model(flags.output, model.options, model.parameters,
             model.vocabulary ? &*model.vocabulary : nullptr, save);
  for (const std::string& loss : model.losses) report.line(loss);
  report.line("a model of " + human_count(model.parameters.count()) + " parameters is in " +
              flags.output);
  return kDone;
}

}  // namespace

void add_convert(Options& app, Command& chosen) {
  const auto flags = std::make_shared<ConvertFlags>();
  Options command =
      app.add_subcommand("convert", "Convert a model to the layout of AllenNLP and bilm-tf");
  command
      ->add_option("MODEL", flags->model,
                   "Model folder, zip archive or installed model. ELMoForManyLangs models with "
                   "characters need --vocab")
      ->required();
  command
      ->add_option("--vocab", flags->vocabulary,
                   "Make a word-level model of these words, one per line, including `<S>`, `</S>` "
                   "and `<UNK>`")
      ->type_name("FILE");
  command->add_option("-o,--output", flags->output, "Output folder, created if missing")
      ->type_name("DIR")
      ->required();
  add_choice(command, "--dtype", flags->dtype, kDtypes.only<Dtype::float32, Dtype::float16>(),
             "Type of the stored weights");
  command->add_flag("--overwrite", flags->overwrite, "Replace the model in DIR");
  command->add_flag("--quiet", flags->quiet, "Print only errors");
  command->callback([flags, &chosen] { chosen = [flags] { return run_convert(*flags); }; });
}

}  // namespace elmo

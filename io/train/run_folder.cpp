#include "io/train/run_folder.h"

#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/folder/files.h"
#include "io/model/folder/language.h"
#include "io/model/folder/replacement.h"
#include "io/model/save.h"

namespace elmo {

namespace fs = std::filesystem;

void prepare_run_folder(const fs::path& folder, ExistingRun existing) {
  const bool run = fs::exists(folder / kMetricsFile);
  const bool model = holds_model(folder);
  if (existing != ExistingRun::replaced && model && !run) {
    throw RequestError(folder.string() + " holds a model that no run there made",
                       Remedy::replace_file);
  }
  if (existing == ExistingRun::refused && run) {
    throw RequestError(folder.string() + " holds a run already", Remedy::resume_or_replace);
  }
  make_folder(folder);
}

void remove_run(const fs::path& folder) {
  remove_model(folder);
  std::error_code error;
  for (const char* name : {kCurvesFile, "checkpoints", kMetricsFile}) {
    fs::remove_all(folder / name, error);
    if (error) {
      throw SystemError("cannot remove " + (folder / name).string() + ": " + error.message());
    }
  }
}

RunModel::RunModel(fs::path folder, Dtype dtype, TokenizerDescription tokenizer,
                   const Vocabulary* words)
    : folder_(std::move(folder)), dtype_(dtype), tokenizer_(std::move(tokenizer)), words_(words) {}

void RunModel::save(const Trainer& trainer) {
  SaveOptions save;
  save.existing = ExistingModel::replaced;
  save.dtype = dtype_;
  save.softmax = &trainer.model().softmax;
  save.tokenizer = &tokenizer_;
  // Who told the language of the run's model told that of every later state of it.
  finish_replacement(folder_);
  if (fs::exists(folder_ / kLanguageFile)) {
    save.language = read_model_file({}, folder_ / kLanguageFile, kMaxLanguageBytes);
  }
  save_model(folder_, trainer.model().options, trainer.model().parameters, words_, save);
}

}  // namespace elmo

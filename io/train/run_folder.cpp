#include "io/train/run_folder.h"

#include <utility>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/folder/files.h"
#include "io/model/folder/language.h"
#include "io/model/folder/replacement.h"
#include "io/model/save.h"
#include "io/train/checkpoint.h"

namespace elmo {

namespace fs = std::filesystem;

void require_checkpoint(const fs::path& folder) {
  if (!find_checkpoints(folder).empty()) return;
  throw RequestError(
      folder.string() +
          " holds a trained model, and no checkpoint to resume; restore its checkpoints",
      Remedy::begin_anew);
}

void prepare_run_folder(const fs::path& folder, ExistingRun existing) {
  const bool run = is_there(folder / kMetricsFile);
  const bool model = holds_model(folder);
  if (existing != ExistingRun::replaced && model && !run) {
    throw RequestError(folder.string() + " holds a model that no run there made",
                       Remedy::replace_file);
  }
  if (existing == ExistingRun::resumed && model) require_checkpoint(folder);
  if (existing == ExistingRun::refused && run) {
    throw RequestError(folder.string() + " holds a run already", Remedy::resume_or_replace);
  }
  make_folder(folder);
}

void remove_run(const fs::path& folder) {
  remove_model(folder);
  for (const char* name : {kCurvesFile, "checkpoints", kMetricsFile}) remove_folder(folder / name);
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
  // A language.json that the user added applies to all later states of the model.
  finish_replacement(folder_);
  if (is_there(folder_ / kLanguageFile)) {
    save.language = read_model_file({}, folder_ / kLanguageFile, kMaxLanguageBytes);
  }
  save_model(folder_, trainer.model().options, trainer.model().parameters, words_, save);
}

}  // namespace elmo

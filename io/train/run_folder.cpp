#include "io/train/run_folder.h"

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/save.h"
#include "io/train/checkpoint.h"

namespace elmo {

namespace fs = std::filesystem;

std::string training_run_in(const fs::path& folder) {
  if (!is_folder(folder)) return "";
  if (is_there(folder / kMetricsFile)) return kMetricsFile;
  return find_checkpoints(folder).empty() ? "" : kCheckpointsFolder;
}

void require_checkpoint(const fs::path& folder) {
  if (!find_checkpoints(folder).empty()) return;
  throw RequestError(
      folder.string() +
          " holds a trained model but no checkpoint to resume; restore its checkpoints",
      Remedy{"begin_anew"});
}

void check_run_folder(const fs::path& folder, RunMode mode) {
  const bool run = !training_run_in(folder).empty();
  const bool model = holds_model(folder);
  if (mode != RunMode::overwrite && model && !run) {
    throw RequestError(folder.string() + " holds a model that no run there made",
                       Remedy{"replace_file"});
  }
  if (mode == RunMode::resume && model) require_checkpoint(folder);
  if (mode == RunMode::create && run) {
    throw RequestError(folder.string() + " holds a run already", Remedy{"resume_or_replace"});
  }
  require_no_other_model(folder);
}

void remove_run(const fs::path& folder) {
  remove_model(folder);
  for (const char* name : {kCurvesFile, kMetricsFile}) remove_path(folder / name);
  remove_checkpoints(folder);
}

}  // namespace elmo

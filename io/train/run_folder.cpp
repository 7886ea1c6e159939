#include "io/train/run_folder.h"

#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/files.h"
#include "io/model/language.h"
#include "io/model/replacement.h"
#include "io/model/save.h"
#include "io/train/checkpoint.h"
#include "io/train/session_text.h"

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

RunCheckpoints::RunCheckpoints(fs::path folder, RunFingerprint fingerprint, std::size_t kept)
    : folder_(std::move(folder)), fingerprint_(std::move(fingerprint)), kept_(kept) {}

void RunCheckpoints::write(const SessionState& state, std::span<const StateArray> arrays) {
  write_checkpoint(folder_, {state.counters, fingerprint_, session_text(state)}, arrays, kept_);
}

std::optional<SessionState> RunCheckpoints::restore(std::span<const StateArray> arrays) {
  std::optional<RestoredCheckpoint> point = read_newest_checkpoint(folder_, fingerprint_, arrays);
  if (!point) return std::nullopt;
  damaged_ = std::move(point->damaged);
  return parse_session(point->checkpoint.metadata, std::move(point->checkpoint.counters));
}

RunModel::RunModel(fs::path folder, Dtype dtype, TokenizerDescription tokenizer,
                   const Vocabulary* words)
    : folder_(std::move(folder)), dtype_(dtype), tokenizer_(std::move(tokenizer)), words_(words) {}

void RunModel::save(const Trainer& trainer) {
  SaveOptions save;
  save.existing = ExistingModel::replaced;
  save.dtype = dtype_;
  save.softmax = &trainer.softmax();
  save.tokenizer = &tokenizer_;
  // Who told the language of the run's model told that of every later state of it.
  finish_replacement(folder_);
  if (fs::exists(folder_ / kLanguageFile)) {
    save.language = read_model_file({}, folder_ / kLanguageFile, kMaxLanguageBytes);
  }
  save_model(folder_, trainer.model(), trainer.parameters(), words_, save);
}

}  // namespace elmo

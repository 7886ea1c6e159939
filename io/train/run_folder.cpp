#include "io/train/run_folder.h"

#include <chrono>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/inference/perplexity.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"
#include "io/files/paths.h"
#include "io/model/location.h"
#include "io/model/replacement.h"
#include "io/model/save.h"
#include "io/model/tokenizer.h"
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

std::function<void(const Trainer&)> model_saver(fs::path folder, Dtype dtype,
                                                TokenizerDescription tokenizer,
                                                const Vocabulary* words) {
  return [=](const Trainer& trainer) {
    SaveOptions save;
    save.overwrite = true;
    save.dtype = dtype;
    save.softmax = &trainer.model().softmax;
    save.tokenizer = &tokenizer;
    // A language.json that the user added applies to all later states of the model.
    finish_replacement(folder);
    if (is_there(folder / kLanguageFile)) {
      save.language = ModelFile(folder / kLanguageFile).content(kMaxLanguageBytes);
    }
    save_model(folder, trainer.model().options, trainer.model().parameters, words, save);
  };
}

std::function<double()> start_clock() {
  using Clock = std::chrono::steady_clock;
  return [begin = Clock::now()] {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
}

decltype(BilmServices::validate) text_validator(InputOptions input, const std::string& written,
                                                const TrainingOptions& options,
                                                const Vocabulary* words) {
  input.max_sentence_tokens = kDefaultMaxSentenceTokens;
  return [=](const Trainer& trainer, std::uint64_t max_tokens, const std::atomic<bool>& stop,
             const EvaluationProgress& progress) -> std::optional<ValidationRecord> {
    const std::unique_ptr<TextSource> text = open_source(input, {written});
    WordPredictionOptions scoring;
    scoring.threads = options.threads;
    scoring.max_tokens = max_tokens;
    if (options.state == TrainingState::carry) {
      scoring.initial_state = InitialState::carry;
      scoring.lanes = static_cast<int>(options.lanes);
    }
    std::optional<Vocabulary> model_words;
    if (words != nullptr) model_words.emplace(words->words());
    const TrainedBilm& trained = trainer.model();
    const Bilm model(trained.options, trained.parameters.values_only(), Precision::float32,
                     std::move(model_words));
    const PerplexityResult result =
        perplexity(model, trained.softmax, *text, scoring, stop,
                   [&progress](const EmbedProgress& done) { progress(done.tokens); });
    if (!result.completed) return std::nullopt;
    ValidationRecord record;
    record.tokens = result.tokens;
    const Perplexity figures = result.perplexity();
    record.forward = figures.forward;
    record.backward = figures.backward;
    record.average = figures.average;
    return record;
  };
}

}  // namespace elmo

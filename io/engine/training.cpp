#include "io/engine/training.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "core/inference/word_prediction.h"
#include "core/model/bilm.h"
#include "core/resources.h"
#include "core/text.h"
#include "core/train/bilm/trainer.h"
#include "core/version.h"
#include "io/engine/model.h"
#include "io/engine/run_settings.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"
#include "io/model/save.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/train/checkpoint.h"
#include "io/train/corpus.h"
#include "io/train/metrics_log.h"
#include "io/train/provenance.h"
#include "io/train/run_folder.h"

namespace elmo {
namespace {

/// Returns the text of rank 0.
std::string text_of_rank_0(Communicator& ranks, std::string text) {
  std::array<std::uint64_t, 1> size{text.size()};
  broadcast(ranks, std::span<std::uint64_t>(size));
  text.resize(size[0]);
  broadcast(ranks, std::span<char>(text));
  return text;
}

/// Returns all names and values, each followed by a zero byte.
std::string packed(const Provenance& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    text += name + '\0';
    text += value + '\0';
  }
  return text;
}

Provenance unpacked(const std::string& text) {
  Provenance settings;
  std::istringstream stream(text);
  std::string name;
  std::string value;
  while (std::getline(stream, name, '\0') && std::getline(stream, value, '\0')) {
    settings.emplace_back(name, value);
  }
  return settings;
}

/// Throws RequestError on a rank whose settings differ from rank 0's, naming the differences.
/// Returns when all ranks have compared them.
void check_settings(Communicator& ranks, const Provenance& settings) {
  if (ranks.size() == 1) return;
  const Provenance first = unpacked(text_of_rank_0(ranks, packed(settings)));
  const Message difference = provenance_difference(first, settings);
  std::array<double, 1> different{difference.empty() ? 0.0 : 1.0};
  ranks.sum(std::span<double>(different));
  if (!difference.empty()) {
    throw RequestError("found other settings than rank 0's: " + difference +
                       ". Expected the same command on all ranks");
  }
}

/// Returns everything that a run's numbers depend on, except its ranks and their threads.
Provenance settings_of(const TrainRequest& request, const TrainingWork& work,
                       const EncodedCorpus& corpus) {
  Provenance provenance = training_provenance(work.model, work.options, work.softmax.vocabulary,
                                              corpus.checksum(), work.read_words());
  // The tokenizer comes first because it is the cause of a different corpus in errors.
  provenance.insert(provenance.begin(), {kTokenizer, to_string(describe_tokenizer(work.reading))});
  provenance.insert(
      provenance.end(),
      {{"start", work.start},
       {"validation", input_files_text(list_input_files({request.valid}, nullptr, request.output)) +
                          ", " + human_count(request.validation.tokens, "token") + " every " +
                          human_count(request.validation.every, "step")},
       {kToolVersion, std::string(version())}});
  return provenance;
}

/// Returns what saves the model of a run, with its softmax and the description of the tokenizer. A
/// language.json next to the model is kept. Both arguments must outlive the result. Errors of a
/// call: as save_model and ModelFile::content.
std::function<void(const Trainer&)> model_saver(const TrainRequest& request,
                                                const TrainingWork& work) {
  return [&request, &work, tokenizer = describe_tokenizer(work.reading)](const Trainer& trainer) {
    const std::filesystem::path folder = request.output;
    SaveOptions save;
    save.overwrite = true;
    save.dtype = request.dtype;
    save.softmax = &trainer.model().softmax;
    save.tokenizer = &tokenizer;
    // A language.json that the user added applies to all later states of the model.
    finish_replacement(folder);
    if (is_there(folder / kLanguageFile)) {
      save.language = ModelFile(folder / kLanguageFile).content(kMaxLanguageBytes);
    }
    save_model(folder, trainer.model().options, trainer.model().parameters, work.read_words(),
               save);
  };
}

/// Returns what opens the validation text again for each validation and computes perplexity as
/// `elmo perplexity` does, with the initial state of the training options. Both arguments must
/// outlive the result. Errors of a call: as open_source and perplexity.
decltype(BilmServices::validate) text_validator(const TrainRequest& request,
                                                const TrainingWork& work) {
  InputOptions input = validation_input(request, work.reading);
  input.max_sentence_tokens = kDefaultMaxSentenceTokens;
  return [&request, &work, input](
             const Trainer& trainer, std::uint64_t max_tokens, const std::atomic<bool>& stop,
             const EvaluationProgress& progress) -> std::optional<ValidationRecord> {
    const std::unique_ptr<TextSource> text = open_source(input, {request.output});
    WordPredictionOptions scoring;
    scoring.threads = work.options.threads;
    scoring.max_tokens = max_tokens;
    if (work.options.state == TrainingState::carry) {
      scoring.initial_state = InitialState::carry;
      scoring.lanes = static_cast<int>(work.options.lanes);
    }
    const TrainedBilm& trained = trainer.model();
    std::optional<Vocabulary> words;
    if (work.words) words.emplace(work.words->words());
    const Bilm model(trained.options, trained.parameters.values_only(), Precision::float32,
                     std::move(words));
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

/// Runs the session. Adds to errors how to continue.
SessionEnd run_bilm_session(Session<BilmLearner>& session, const std::atomic<bool>& stop) {
  const auto checkpoint = [&session] {
    return "the checkpoint of step " + human_count(*session.checkpoint_step()) + " is kept";
  };
  try {
    return session.run(stop);
  } catch (const NumericError& error) {
    throw NumericError(error.message() +
                       "\nThe same settings will fail again: start in another folder" +
                       (session.checkpoint_step() ? "; " + checkpoint() : ""));
  } catch (const SystemError& error) {
    throw SystemError(error.message() + "\n" +
                      (session.checkpoint_step()
                           ? checkpoint() + "; repeat the command with " + Setting{"resume"} +
                                 " to continue from it"
                           : Message("there is no checkpoint yet; nothing to continue from")));
  }
}

/// Returns whether the folder holds a sound model with its softmax that is stored in `dtype`.
bool holds_model_in(const std::filesystem::path& folder, Dtype dtype) {
  if (!holds_model(folder)) return false;
  try {
    const OpenedModel opened = open_model({.model = folder.string()});
    return opened.location.softmax &&
           (opened.loaded.parameters.type(0) == FloatFormat::float16) == (dtype == Dtype::float16);
  } catch (const InputError&) {
    return false;  // it is damaged, and replaced
  }
}

/// Returns whether the run in the folder has ended, and its model was saved in `dtype`: that is
/// done before the last validation is recorded.
bool is_complete(const BilmLearner& learner, const std::filesystem::path& folder, Dtype dtype) {
  if (!learner.ended() || !is_there(folder / kMetricsFile)) return false;
  const MetricsRecords records = read_progress(folder / kMetricsFile);
  return !records.validation.empty() && records.validation.back().step == learner.step() &&
         holds_model_in(folder, dtype);
}

/// Does all work of rank 0.
TrainingResult lead_training(const TrainRequest& request, TrainingStart start,
                             std::unique_ptr<Communicator> ranks, RunListener& listener,
                             SessionListener<BilmLearner>& steps, const std::atomic<bool>& stop) {
  const std::function<double()> clock = start_clock();
  const std::filesystem::path folder = request.output;
  check_validation(request, start.reading);
  require_no_vectors(folder);
  check_run_folder(folder, run_mode(request.resume, request.overwrite));
  const OutputFolder locked(folder);
  listener.note(locked.warning());
  std::optional<EncodedCorpus> encoded =
      encoded_corpus(request, start.reading, folder / kCorpusFile, listener, stop);
  text_of_rank_0(*ranks, encoded ? encoded->path().string() : "");
  if (!encoded) return {};

  TrainingWork work = make_work(request, std::move(start), *encoded);
  const TrainingOptions options = work.options;
  for (const std::string& line : lines_of(work, *encoded)) listener.note(line);
  if (ranks->size() > 1) {
    listener.note(human_count(static_cast<std::uint64_t>(ranks->size())) + " ranks, the first of " +
                  human_count(static_cast<std::uint64_t>(options.threads), "thread"));
  }
  const Provenance settings = settings_of(request, work, *encoded);
  check_settings(*ranks, settings);

  RunCheckpoints<BilmState> checkpoints(
      folder, with_ranks(settings, ranks->size(), options.threads), request.keep);
  MetricsLog log(folder / kMetricsFile);
  const Corpus corpus = work.corpus(*encoded);
  Trainer trainer({work.model, std::move(work.parameters), std::move(work.softmax)}, options,
                  corpus, std::move(ranks));
  BilmLearner learner(trainer, request.validation,
                      {model_saver(request, work), log, text_validator(request, work)});
  SessionOptions limits = request.session;
  limits.max_seconds = 60.0 * static_cast<double>(request.max_minutes);
  Session<BilmLearner> session(learner, limits, {checkpoints, steps, clock});
  bool complete = false;
  if (request.resume && session.resume()) {
    for (const std::string& note : checkpoints.notes()) listener.note(note);
    listener.note("resumed from step " + human_count(learner.step()));
    complete = is_complete(learner, folder, request.dtype);
  }
  // A complete run writes nothing, because its folder may be one that cannot be written.
  if (request.overwrite) remove_run(folder);
  if (!complete) encoded->publish();
  const SessionEnd end = complete ? SessionEnd::was_complete : run_bilm_session(session, stop);
  trainer.dismiss(static_cast<int>(end));
  return {end, learner.step(), learner.last_step(), learner.tokens(), session.seconds()};
}

/// Trains on another rank, which only needs the encoded text of the folder.
TrainingResult follow_training(const TrainRequest& request, TrainingStart start,
                               std::unique_ptr<Communicator> ranks, const std::atomic<bool>& stop) {
  const std::string text = text_of_rank_0(*ranks, "");
  if (text.empty()) return {};
  const EncodedCorpus encoded = corpus_of_rank_0(request, start.reading, text);
  TrainingWork work = make_work(request, std::move(start), encoded);
  check_settings(*ranks, settings_of(request, work, encoded));
  const Corpus corpus = work.corpus(encoded);
  Trainer trainer({work.model, std::move(work.parameters), std::move(work.softmax)}, work.options,
                  corpus, std::move(ranks));
  return {.end = static_cast<SessionEnd>(trainer.follow(stop))};
}

constexpr std::uint64_t kValidatedTokens = 2000;

std::uint64_t tokens_to_validate(const TrainRequest& request, const InputOptions& reading) {
  const std::unique_ptr<TextSource> source =
      open_source(validation_input(request, reading), {request.output});
  std::uint64_t tokens = 0;
  Sentence sentence;
  while (source->next(sentence)) tokens += sentence.size();
  return tokens;
}

/// Returns the estimated time of all validations of the plan, measured by a short one.
double validation_seconds(const TrainRequest& request, const TrainingWork& work,
                          const Trainer& trainer) {
  const auto validate = text_validator(request, work);
  std::uint64_t scored = 0;
  const double seconds = seconds_of([&] {
    scored = validate(trainer, kValidatedTokens, kNeverStop, [](std::uint64_t) {})->tokens;
  });
  const double token_seconds = seconds / static_cast<double>(scored);
  const std::uint64_t all = tokens_to_validate(request, work.reading);
  const std::uint64_t before_the_end = (work.options.total_steps - 1) / request.validation.every;
  const double tokens = static_cast<double>(before_the_end) *
                            static_cast<double>(std::min(all, request.validation.tokens)) +
                        static_cast<double>(all);
  return tokens * token_seconds;
}

}  // namespace

TrainingResult run_training(const TrainRequest& request, TrainingStart start,
                            std::unique_ptr<Communicator> ranks, RunListener& listener,
                            SessionListener<BilmLearner>& steps, const std::atomic<bool>& stop) {
  if (ranks->rank() > 0) {
    return follow_training(request, std::move(start), std::move(ranks), stop);
  }
  return lead_training(request, std::move(start), std::move(ranks), listener, steps, stop);
}

DryTraining measure_training(const TrainRequest& request, TrainingStart start,
                             RunListener& listener) {
  if (!request.valid.empty()) check_validation(request, start.reading);
  const ScratchFolder scratch;
  const EncodedCorpus encoded =
      encoded_corpus(request, start.reading, scratch / kCorpusFile, listener, kNeverStop).value();
  TrainingWork work = make_work(request, std::move(start), encoded);
  DryTraining found;
  found.plan = work.options;
  found.lines = lines_of(work, encoded);
  found.tokens = encoded.tokens().size();
  found.sentences = encoded.sentence_ends().size();
  found.distinct_tokens = encoded.types().size();
  found.vocabulary = static_cast<std::uint64_t>(work.softmax.vocabulary.size());
  found.parameters = work.parameters.count();
  found.softmax_parameters = work.softmax.weights.size() + work.softmax.bias.size();
  TrainingOptions options = work.options;
  options.frozen_steps = 0;  // frozen steps take less time
  const Corpus corpus = work.corpus(encoded);
  Trainer trainer({work.model, std::move(work.parameters), std::move(work.softmax)}, options,
                  corpus);
  const double step = median_step_seconds([&] { trainer.step(); });
  if (!request.valid.empty()) {
    found.validation_seconds = validation_seconds(request, work, trainer);
  }
  found.seconds =
      step * static_cast<double>(found.plan.total_steps) + found.validation_seconds.value_or(0.0);
  found.step_tokens = static_cast<std::uint64_t>(found.plan.lanes * found.plan.unroll);
  found.tokens_per_second = static_cast<double>(found.step_tokens) / step;
  found.memory_bytes = peak_memory_bytes();
  return found;
}

}  // namespace elmo

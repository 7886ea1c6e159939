#include "cli/train/run.h"

#include <functional>
#include <string>
#include <utility>

#include "cli/common/human.h"
#include "cli/common/input_notes.h"
#include "cli/common/listener.h"
#include "cli/train/ranks.h"
#include "cli/train/text.h"
#include "core/error.h"
#include "core/train/bilm/trainer.h"
#include "core/version.h"
#include "io/files/atomic_file.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/train/checkpoint.h"
#include "io/train/corpus.h"
#include "io/train/metrics_log.h"
#include "io/train/run_folder.h"
#include "io/train/settings.h"

namespace elmo {
namespace {

/// Returns everything that a run's numbers depend on, except its ranks and their threads.
RunFingerprint settings_of(const TrainingRequest& request, const TrainingRun& run,
                           const std::string& start, const TrainingWork& work,
                           const EncodedCorpus& corpus) {
  RunFingerprint fingerprint = training_fingerprint(
      work.model, work.options, work.softmax.vocabulary, corpus.checksum(), work.read_words());
  // The tokenizer comes first because it is the cause of a different corpus in errors.
  fingerprint.insert(fingerprint.begin(),
                     {"tokenizer", to_string(describe_tokenizer(request.input))});
  fingerprint.insert(fingerprint.end(),
                     {{"start", start},
                      {"validation", input_files_text(validation_input(request.input, run.valid)) +
                                         ", " + human_count(run.validation.tokens, "token") +
                                         " every " + human_count(run.validation.every, "step")},
                      {"tool_version", std::string(version())}});
  return fingerprint;
}

TrainingEnd end_of(SessionEnd end) {
  switch (end) {
    case SessionEnd::completed:
      return TrainingEnd::completed;
    case SessionEnd::was_complete:
      return TrainingEnd::was_complete;
    case SessionEnd::stopped:
      return TrainingEnd::stopped;
  }
  return TrainingEnd::stopped;
}

SessionEnd run_bilm_session(Session<BilmLearner>& session, TrainingListener& listener,
                            const std::atomic<bool>& stop) {
  try {
    return run_session(session, listener, stop);
  } catch (const Error&) {
    listener.session_failed(session.checkpoint_step());
    throw;
  }
}

/// Trains on rank 0, from the encoded text to the end of the session.
TrainingResult lead(const TrainingRequest& request, const TrainingRun& run, TrainingStart start,
                    const EncodedCorpus& encoded, std::unique_ptr<Communicator> ranks,
                    const std::function<double()>& clock, TrainingListener& listener,
                    const std::atomic<bool>& stop) {
  const std::string name = start.name;
  TrainingWork work = make_work(request, std::move(start), encoded);
  const TrainingOptions options = work.options;
  for (const std::string& line : lines_of(work, encoded)) listener.note(line);
  if (ranks->size() > 1) {
    listener.note(human_count(static_cast<std::uint64_t>(ranks->size())) + " ranks, the first of " +
                  human_count(static_cast<std::uint64_t>(options.threads), "thread"));
  }
  const RunFingerprint settings = settings_of(request, run, name, work, encoded);
  check_settings(*ranks, settings);

  RunCheckpoints<BilmState> checkpoints(
      run.folder, with_ranks(settings, ranks->size(), options.threads), run.keep);
  const RunModel models(run.folder, run.dtype, describe_tokenizer(request.input),
                        work.read_words());
  MetricsLog log(run.folder / kMetricsFile);
  const TextValidator validator(validation_input(request.input, run.valid), options,
                                work.read_words());
  const Corpus corpus = work.corpus(encoded);
  Trainer trainer({work.model, std::move(work.parameters), std::move(work.softmax)}, options,
                  corpus, std::move(ranks));
  BilmLearner learner(trainer, run.validation,
                      {[&](const Trainer& trained) { models.save(trained); }, log,
                       [&](const Trainer& trained, std::uint64_t max_tokens,
                           const std::atomic<bool>& stopped, const EvaluationProgress& progress) {
                         return validator.validate(trained, max_tokens, stopped, progress);
                       }});
  Session<BilmLearner> session(learner, run.session, {checkpoints, listener, clock});
  if (run.existing == ExistingRun::resumed && session.resume()) {
    for (const std::string& damaged : checkpoints.damaged()) listener.note(damaged);
    listener.note("resumed from step " + human_count(learner.step()));
  }
  if (run.existing == ExistingRun::replaced) remove_run(run.folder);
  const TrainingEnd end = end_of(run_bilm_session(session, listener, stop));
  trainer.dismiss(static_cast<int>(end));
  return {end, learner.step(), learner.last_step(), learner.tokens(), session.seconds()};
}

/// Does all work of rank 0.
TrainingResult lead_training(const TrainingRequest& request, const TrainingRun& run,
                             TrainingStart start, std::unique_ptr<Communicator> ranks,
                             TrainingListener& listener, const std::atomic<bool>& stop) {
  const std::function<double()> clock = start_clock();
  check_validation(request.input, run.valid);
  prepare_run_folder(run.folder, run.existing);
  const FolderLock lock(run.folder);
  if (!lock.warning().empty()) listener.note(lock.warning());
  const std::optional<EncodedCorpus> corpus =
      encoded_corpus(request.input, run.folder / kCorpusFile, run.existing, listener, stop);
  said_by_rank_0(*ranks, corpus.has_value());
  if (!corpus) return {.end = TrainingEnd::stopped_reading};
  return lead(request, run, std::move(start), *corpus, std::move(ranks), clock, listener, stop);
}

/// Trains on another rank, which only needs the encoded text of the folder.
TrainingResult follow_training(const TrainingRequest& request, const TrainingRun& run,
                               TrainingStart start, std::unique_ptr<Communicator> ranks,
                               const std::atomic<bool>& stop) {
  const bool text_is_read = said_by_rank_0(*ranks, true);
  if (!text_is_read) return {.end = TrainingEnd::stopped_reading};
  const EncodedCorpus encoded = corpus_of_rank_0(request.input, run.folder / kCorpusFile);
  const std::string name = start.name;
  TrainingWork work = make_work(request, std::move(start), encoded);
  check_settings(*ranks, settings_of(request, run, name, work, encoded));
  const Corpus corpus = work.corpus(encoded);
  Trainer trainer({work.model, std::move(work.parameters), std::move(work.softmax)}, work.options,
                  corpus, std::move(ranks));
  return {.end = static_cast<TrainingEnd>(trainer.follow(stop))};
}

}  // namespace

TrainingResult run_training(const TrainingRequest& request, const TrainingRun& run,
                            TrainingStart start, std::unique_ptr<Communicator> ranks,
                            TrainingListener& listener, const std::atomic<bool>& stop) {
  if (ranks->rank() > 0) {
    return follow_training(request, run, std::move(start), std::move(ranks), stop);
  }
  return lead_training(request, run, std::move(start), std::move(ranks), listener, stop);
}

}  // namespace elmo

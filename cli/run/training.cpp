#include "cli/run/training.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/human.h"
#include "cli/process/signals.h"
#include "cli/report/error_message.h"
#include "cli/report/report.h"
#include "cli/report/training.h"
#include "cli/run/dry_run_training.h"
#include "cli/run/input_fingerprint.h"
#include "cli/run/train_text.h"
#include "cli/run/training_ranks.h"
#include "core/error.h"
#include "core/train/session.h"
#include "core/train/trainer.h"
#include "core/version.h"
#include "io/files/lock.h"
#include "io/mpi/ranks.h"
#include "io/train/corpus_file.h"
#include "io/train/fingerprint.h"
#include "io/train/metrics_log.h"
#include "io/train/run_folder.h"
#include "io/train/text_validator.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

ExistingRun existing_run(const TrainFlags& flags) {
  if (flags.overwrite) return ExistingRun::replaced;
  return flags.resume ? ExistingRun::resumed : ExistingRun::refused;
}

SessionOptions session_options(const TrainFlags& flags, const TrainingOptions& training) {
  SessionOptions options = flags.session;
  options.total_steps = training.total_steps;
  options.max_seconds = 60.0 * static_cast<double>(flags.max_minutes);
  return options;
}

/// What a run's numbers depend on, but for its ranks and their threads.
RunFingerprint settings_of(const TrainFlags& flags, const std::string& start,
                           const TrainingWork& work, const EncodedCorpus& corpus) {
  RunFingerprint fingerprint = training_fingerprint(
      work.model, work.options, work.softmax.vocabulary, corpus.checksum(), work.read_words());
  fingerprint.insert(
      fingerprint.end(),
      {{"start", start},
       {"validation", input_files_text(validation_input(flags)) + ", " +
                          human_count(flags.session.valid_tokens, "token") + " every " +
                          human_count(flags.session.valid_every, "step")},
       {"tool_version", std::string(version())}});
  return fingerprint;
}

std::string where_to_go_on(const TrainingSession& session) {
  if (!session.checkpoint_step()) return "there is no checkpoint yet; nothing to go on from";
  return "the checkpoint of step " + human_count(*session.checkpoint_step()) +
         " is kept; the same command with --resume goes on from it";
}

/// Runs the session, and adds to an error what becomes of the run.
SessionEnd run_session(TrainingSession& session, TrainingReport& listener,
                       const std::atomic<bool>& stop) {
  try {
    const SessionEnd end = session.run(stop);
    listener.clear();
    return end;
  } catch (const NumericError& error) {
    listener.clear();
    throw NumericError(
        message_of(error) +
        "\nWith the same settings it will happen again: begin anew in another folder" +
        (session.checkpoint_step()
             ? "; the checkpoint of step " + human_count(*session.checkpoint_step()) + " is kept"
             : ""));
  } catch (const SystemError& error) {
    listener.clear();
    throw SystemError(message_of(error) + "\n" + where_to_go_on(session));
  }
}

ExitCode report_end(const Report& report, const TrainFlags& flags, const TrainingSession& session,
                    std::uint64_t total_steps, SessionEnd end) {
  switch (end) {
    case SessionEnd::was_complete:
      report.line(flags.output +
                  " is complete; there is nothing to resume, the model is saved anew");
      return kDone;
    case SessionEnd::stopped:
      report.line("stopped at step " + human_count(session.step()) + " of " +
                  human_count(total_steps) + "; the same command with --resume goes on");
      return kStopped;
    case SessionEnd::completed:
      report.line(human_count(session.step(), "step") + ", " +
                  human_count(session.tokens(), "token") + ", " +
                  human_time(std::chrono::duration<double>(session.seconds())) +
                  "; the model is in " + flags.output);
      return kDone;
  }
  return kFailure;
}

/// From the encoded text to the end of the session, on rank 0.
ExitCode lead(const TrainFlags& flags, TrainingStart start, const fs::path& folder,
              const EncodedCorpus& encoded, std::unique_ptr<Communicator> ranks, Clock& clock,
              const std::atomic<bool>& stop) {
  const Report report(flags.quiet);
  const std::string name = start.name;
  TrainingWork work = make_work(flags, std::move(start), encoded);
  const TrainingOptions options = work.options;
  for (const std::string& line : lines_of(work, encoded)) report.line(line);
  if (ranks->size() > 1) {
    report.line(human_count(static_cast<std::uint64_t>(ranks->size())) + " ranks, the first of " +
                human_count(static_cast<std::uint64_t>(options.threads), "thread"));
  }
  const RunFingerprint settings = settings_of(flags, name, work, encoded);
  check_settings(*ranks, settings);

  RunCheckpoints checkpoints(folder, with_ranks(settings, ranks->size(), options.threads),
                             flags.keep);
  RunModel models(folder, flags.dtype, describe_tokenizer(flags.input), work.read_words());
  MetricsLog log(folder / kMetricsFile);
  TextValidator validator(validation_input(flags), options, work.read_words());
  TrainingReport listener(flags, log);
  const Corpus corpus = work.corpus(encoded);
  Trainer trainer(work.model, options, std::move(work.parameters), std::move(work.softmax), corpus,
                  std::move(ranks));
  TrainingSession session(trainer, session_options(flags, options),
                          {checkpoints, models, log, validator, clock}, listener);
  if (flags.resume && session.resume()) {
    for (const std::string& damaged : checkpoints.damaged()) report.line(damaged);
    report.line("goes on from step " + human_count(session.step()));
  }
  if (flags.overwrite) remove_run(folder);
  const SessionEnd end = run_session(session, listener, stop);
  const ExitCode code = report_end(report, flags, session, options.total_steps, end);
  trainer.dismiss(code);
  return code;
}

/// The same on another rank, which needs no more of the folder than the encoded text.
ExitCode follow(const TrainFlags& flags, TrainingStart start, const fs::path& folder,
                std::unique_ptr<Communicator> ranks, const std::atomic<bool>& stop) {
  const bool text_is_read = said_by_rank_0(*ranks, true);
  if (!text_is_read) return kStopped;
  const EncodedCorpus encoded = corpus_of_rank_0(flags, folder / kCorpusFile);
  const std::string name = start.name;
  TrainingWork work = make_work(flags, std::move(start), encoded);
  check_settings(*ranks, settings_of(flags, name, work, encoded));
  const Corpus corpus = work.corpus(encoded);
  Trainer trainer(work.model, work.options, std::move(work.parameters), std::move(work.softmax),
                  corpus, std::move(ranks));
  return static_cast<ExitCode>(trainer.follow(stop));
}

/// All that rank 0 does.
ExitCode lead_training(const TrainFlags& flags, TrainingStart start,
                       std::unique_ptr<Communicator> ranks, const std::atomic<bool>& stop) {
  SteadyClock clock;
  check_validation(flags);
  const fs::path folder = flags.output;
  prepare_run_folder(folder, existing_run(flags));
  const FolderLock lock(folder);
  if (!lock.warning().empty()) Report(flags.quiet).line(lock.warning());
  const std::optional<EncodedCorpus> corpus = encoded_corpus(flags, folder / kCorpusFile, stop);
  said_by_rank_0(*ranks, corpus.has_value());
  if (!corpus) {
    Report(flags.quiet).line("stopped while it read the text; the same command begins again");
    return kStopped;
  }
  return lead(flags, std::move(start), folder, *corpus, std::move(ranks), clock, stop);
}

}  // namespace

ExitCode run_training(const TrainFlags& flags, TrainingStart start,
                      std::unique_ptr<Communicator> ranks) {
  if (flags.dry_run) {
    if (ranks->size() > 1) {
      throw RequestError("--dry-run measures one process; found " + std::to_string(ranks->size()) +
                         " ranks");
    }
    const ExitCode code = run_dry_training(flags, std::move(start));
    leave_ranks();
    return code;
  }
  const std::atomic<bool>& stop = stop_on_signals();
  const ExitCode code = ranks->rank() == 0
                            ? lead_training(flags, std::move(start), std::move(ranks), stop)
                            : follow(flags, std::move(start), flags.output, std::move(ranks), stop);
  leave_ranks();
  return code;
}

}  // namespace elmo

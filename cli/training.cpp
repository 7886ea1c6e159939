#include "cli/training.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/input_fingerprint.h"
#include "cli/report/error_message.h"
#include "cli/report/human.h"
#include "cli/report/report.h"
#include "cli/report/training.h"
#include "cli/signals.h"
#include "cli/train_text.h"
#include "cli/training_ranks.h"
#include "core/error.h"
#include "core/train/plan.h"
#include "core/train/session.h"
#include "core/train/trainer.h"
#include "core/version.h"
#include "io/files/lock.h"
#include "io/mpi/ranks.h"
#include "io/train/corpus_file.h"
#include "io/train/corpus_vocabulary.h"
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

/// What every rank makes of the text.
struct Work {
  TrainingOptions options;
  SoftmaxLayer softmax;
  std::vector<std::int32_t> targets;
};

Work make_work(const TrainFlags& flags, TrainingStart& start, const EncodedCorpus& encoded) {
  const std::uint64_t predictions = encoded.tokens().size() + encoded.sentence_ends().size();
  Work work{planned(flags.training, flags.plan, predictions, start.pretrained && !start.softmax),
            start.softmax ? std::move(*start.softmax)
                          : new_softmax(flags, encoded, start.model.lstm.projection_dim),
            {}};
  work.targets = target_rows(encoded, work.softmax.vocabulary);
  return work;
}

/// What a run's numbers depend on, but for its ranks and their threads.
RunFingerprint settings_of(const TrainFlags& flags, const TrainingStart& start, const Work& work,
                           const EncodedCorpus& corpus) {
  RunFingerprint fingerprint =
      training_fingerprint(start.model, work.options, work.softmax.vocabulary, corpus.checksum());
  fingerprint.insert(
      fingerprint.end(),
      {{"start", start.name},
       {"validation", input_files_text(validation_input(flags)) + ", " +
                          human_count(flags.session.valid_tokens, "token") + " every " +
                          human_count(flags.session.valid_every, "step")},
       {"tool_version", std::string(version())}});
  return fingerprint;
}

/// The two lines that a run begins with.
void report_start(const Report& report, const TrainingStart& start, const Work& work, int ranks,
                  const EncodedCorpus& corpus) {
  const auto& [options, softmax, targets] = work;
  const std::uint64_t tokens = corpus.tokens().size();
  const std::uint64_t unknown = unknown_tokens(corpus, softmax.vocabulary);
  report.line(human_count(tokens, "token") + " in " +
              human_count(corpus.sentence_ends().size(), "sentence") + ", " +
              human_count(corpus.types().size()) + " of them distinct; vocabulary of " +
              human_count(static_cast<std::uint64_t>(softmax.vocabulary.size()), "word") + ", " +
              human_number(100.0 * static_cast<double>(unknown) / static_cast<double>(tokens), 3) +
              " % of the tokens are <UNK>");
  report.line(human_count(options.total_steps, "step") + " of " +
              human_count(static_cast<std::uint64_t>(options.lanes * options.unroll), "token") +
              (options.frozen_steps > 0
                   ? ", the first " + human_count(options.frozen_steps) + " train the softmax alone"
                   : "") +
              "; " + human_count(start.parameters.count()) + " parameters, and " +
              human_count(softmax.weights.size() + softmax.bias.size()) + " of the softmax");
  if (ranks > 1) {
    report.line(human_count(static_cast<std::uint64_t>(ranks)) + " ranks, the first of " +
                human_count(static_cast<std::uint64_t>(options.threads), "thread"));
  }
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
  Work work = make_work(flags, start, encoded);
  const TrainingOptions options = work.options;
  report_start(report, start, work, ranks->size(), encoded);
  const RunFingerprint settings = settings_of(flags, start, work, encoded);
  check_settings(*ranks, settings);

  RunCheckpoints checkpoints(folder, with_ranks(settings, ranks->size(), options.threads),
                             flags.keep);
  RunModel models(folder, flags.dtype, describe_tokenizer(flags.input));
  MetricsLog log(folder / kMetricsFile);
  TextValidator validator(validation_input(flags), options);
  TrainingReport listener(flags, log);
  const Corpus corpus = training_view(encoded, work.targets);
  Trainer trainer(start.model, options, std::move(start.parameters), std::move(work.softmax),
                  corpus, std::move(ranks));
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
  Work work = make_work(flags, start, encoded);
  check_settings(*ranks, settings_of(flags, start, work, encoded));
  const Corpus corpus = training_view(encoded, work.targets);
  Trainer trainer(start.model, work.options, std::move(start.parameters), std::move(work.softmax),
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
  if (!start.model.char_cnn) {
    throw RequestError("a word-level model cannot be trained; expected one that reads characters");
  }
  const std::atomic<bool>& stop = stop_on_signals();
  const ExitCode code = ranks->rank() == 0
                            ? lead_training(flags, std::move(start), std::move(ranks), stop)
                            : follow(flags, std::move(start), flags.output, std::move(ranks), stop);
  leave_ranks();
  return code;
}

}  // namespace elmo

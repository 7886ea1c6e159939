// `elmo-bench`: how fast the stages of `elmo embed` are, as a share of what this machine can do.
#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/flags/computing.h"
#include "cli/flags/options.h"
#include "cli/flags/preset.h"
#include "cli/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/process/standard_streams.h"
#include "cli/program.h"
#include "core/error.h"
#include "core/model/presets.h"
#include "io/trials.h"
#include "tests/bench/program/report.h"
#include "tests/bench/program/result.h"
#include "tests/bench/program/task.h"
#include "tests/bench/program/train.h"

namespace elmo {
namespace {

constexpr int kMaxRepeat = 1000;
constexpr std::uint64_t kMaxTextTokens = 1'000'000'000;

template <typename Result>
ExitCode report(const BenchFlags& flags, const std::optional<Result>& result) {
  if (!result) {
    std::cerr << "elmo: stopped before all was measured\n";
    return kStopped;
  }
  standard_output().write(flags.json ? bench_json(flags, *result) : bench_table(flags, *result));
  return kDone;
}

ExitCode run_bench(const BenchFlags& flags) {
  const auto tell = [&flags](const std::string& stage) {
    if (!flags.quiet) std::cerr << "elmo: measuring " << stage << '\n';
  };
  if (flags.train) return report(flags, measure_training(flags, tell, stop_on_signals()));
  if (flags.task) return report(flags, measure_task(flags, tell, stop_on_signals()));
  return report(flags, measure(flags, tell, stop_on_signals()));
}

constexpr const char* kBenchFooter =
    "Everything is measured in one run and told as a share of one limit: what oneDNN's matmul of "
    "2048 x 2048 matrices reaches on the same threads in the same precision, either with all "
    "threads in one product or with a product on each, whichever is faster, measured again between "
    "the stages (the median counts).\n"
    "\n"
    "  oneDNN lstm_forward   its fused LSTM layers, without clips, at the shapes of ours\n"
    "  LSTMs                 both directions, on all workers, with all lanes taken\n"
    "  character encoder     distinct tokens of the text\n"
    "  tokenizer             from text to tokens, one thread\n"
    "  shard writer          from activations to published shards\n"
    "  embed                 all of it, from text to shards on the disk; its share counts\n"
    "                        the LSTMs once a token, the encoder once a distinct token\n"
    "\n"
    "The tokenizer and the writer compute nothing that could be counted. Their share is their "
    "tokens/s over those that the limit would put through the LSTMs: above 100 % they keep up with "
    "any computing. Files are written to a folder below `TMPDIR` (or `/tmp`), which is removed. "
    "With "
    "--train, the share counts the products of LSTMs, softmax, highways and projection, forward "
    "and "
    "backward; with --task, those of the biLSTM. Run it on a machine that does nothing else.";

void add_options(CLI::App* command, Command& chosen) {
  const auto flags = std::make_shared<BenchFlags>();
  add_model_flags(command, flags->model);
  add_preset(command, flags->preset,
             "Instead of a model of yours: a random one of that architecture")
      ->excludes("--model")
      ->excludes("--options");
  command->add_option("FILE", flags->files,
                      "Text to tokenize and embed; none: made-up words with the frequencies of a "
                      "language, always the same");
  add_whole(command, "--tokens", flags->tokens, "N", std::uint64_t{1}, kMaxTextTokens,
            "So many tokens of the text, in whole sentences");
  add_precision(command, flags->precision, "Numbers that are multiplied, as of embed and train");
  add_threads(command, flags->threads);
  add_workers(command, flags->workers);
  add_whole(command, "--repeat", flags->repeat, "N", 1, kMaxRepeat,
            "Times that each stage is measured; the median counts");
  add_whole(command, "--embed-repeat", flags->embed_repeat, "N", 1, kMaxRepeat,
            "The same for embed as a whole");
  CLI::Option* train = command->add_flag("--train", flags->train,
                                         "Measure training instead, with the defaults of train");
  command
      ->add_flag("--task", flags->task,
                 "Measure instead epochs of training a tagger on FILE, labelled sentences as `elmo "
                 "task train --kind tag` reads them, 32 a batch, with the activations of --model "
                 "(default: the default model) at hand")
      ->excludes(train)
      ->excludes("--preset");
  add_whole(command, "--hidden", flags->hidden, "N", std::int64_t{1}, std::int64_t{4096},
            "Units of a direction of the tagger's biLSTM (--task)");
  command->add_flag("--json", flags->json, "Print JSON, shares as fractions of 1");
  command->add_flag("--quiet", flags->quiet, "Do not say on standard error what is being measured");
  command->footer(kBenchFooter);
  command->callback([flags, command, &chosen] {
    check_workers(flags->threads, flags->workers);
    const bool embedding = !flags->train && !flags->task;
    for (const char* option : {"--workers", "--embed-repeat"}) {
      only_with(*command, option, embedding, "embedding, not --train or --task");
    }
    only_with(*command, "--precision", !flags->task, "embedding or --train, not --task");
    if (flags->train && flags->precision == Precision::int8) {
      throw RequestError("--precision: found int8, expected float32 or bfloat16 with --train");
    }
    only_with(*command, "--tokens", !flags->task, "embedding or --train, not --task");
    only_with(*command, "--hidden", flags->task, "--task");
    const bool random = flags->model.model.empty() && flags->model.options.empty() && !flags->task;
    only_with(*command, "--vocab", !random && !flags->train,
              "--model or --options, and not with --train");
    chosen = [flags] { return run_bench(*flags); };
  });
}

}  // namespace
}  // namespace elmo

int main(int argc, char** argv) {
  elmo::h5::serve_trials(argc, argv, elmo::trial_readings());
  elmo::occupy_standard_streams();
  elmo::survive_failed_writes();
  elmo::explain_cut_files();
  elmo::Command command;
  const auto app = elmo::make_program(
      "elmo-bench", "Measure every stage of elmo as a share of what this machine can do");
  elmo::add_options(app.get(), command);
  elmo::complete_options(*app);
  return elmo::run_program(*app, command, argc, argv);
}

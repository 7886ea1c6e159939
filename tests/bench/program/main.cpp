// `elmo-bench`: measures the stages of `elmo embed` and their share of this machine's peak.
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/option_groups.h"
#include "cli/common/options.h"
#include "cli/common/process.h"
#include "cli/program.h"
#include "core/error.h"
#include "core/model/options.h"
#include "core/text.h"
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
    std::cerr << "elmo: stopped before the end\n";
    return kInterrupted;
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
    "All stages are measured in one run, relative to one peak: oneDNN's matmul of 2048 x 2048 "
    "matrices on the same threads in the same precision, with all threads in one product or a "
    "product on each, whichever is faster. It is measured between the stages; the median counts.\n"
    "\n"
    "  oneDNN lstm_forward   its fused LSTM layers, without clips, at our shapes\n"
    "  LSTMs                 both directions on every thread, all lanes full\n"
    "  character encoder     distinct tokens of the text\n"
    "  tokenizer             text to tokens, one thread\n"
    "  shard writer          activations to published shards\n"
    "  embed                 text to shards on the disk; its share counts the LSTMs per\n"
    "                        token, the encoder per distinct token\n"
    "\n"
    "The tokenizer and the writer have no countable operations. Their share is their speed "
    "relative to that of LSTMs at the peak: above 100 % they keep up with any computation. "
    "Temporary files are in a folder below `TMPDIR` (or `/tmp`). With --train, the share counts "
    "the products of LSTMs, softmax, highways and projection, forward and backward; with --task, "
    "those of the biLSTM. Run it on an idle machine.";

void add_options(const Options& command, Command& chosen) {
  const auto flags = std::make_shared<BenchFlags>();
  add_model_flags(command, flags->model);
  add_preset(command, flags->preset, "Use a random model of this size instead of --model")
      .excludes("--model")
      .excludes("--options");
  command.add_argument(
      "FILE", flags->files,
      "Text to tokenize and embed (default: random words with natural frequencies, "
      "always the same)");
  add_whole(command, "--tokens", flags->tokens, "N", std::uint64_t{1}, kMaxTextTokens,
            "Number of tokens to read, rounded up to whole sentences");
  add_choice(command, "--precision", flags->precision, kPrecisions,
             "Precision of products, as in embed and train");
  add_threads(command, flags->threads);
  add_whole(command, "--repeat", flags->repeat, "N", 1, kMaxRepeat,
            "Repetitions of each stage; the median counts");
  add_whole(command, "--embed-repeat", flags->embed_repeat, "N", 1, kMaxRepeat,
            "Repetitions of embed as a whole");
  Option train =
      command.add_flag("--train", flags->train, "Measure training, with the defaults of train");
  command
      .add_flag("--task", flags->task,
                "Measure epochs of training a tagger on labeled sentences with computed "
                "activations")
      .excludes(train)
      .excludes("--preset");
  add_whole(command, "--hidden", flags->hidden, "N", std::int64_t{1}, std::int64_t{4096},
            "LSTM units per direction of the tagger (--task)");
  command.add_flag("--json", flags->json, "Print JSON, with shares as fractions");
  command.add_flag("--quiet", flags->quiet, "Print no progress");
  command.footer(kBenchFooter);
  command.callback([flags, command, &chosen] {
    const bool embedding = !flags->train && !flags->task;
    const bool random = flags->model.model.empty() && flags->model.options.empty() && !flags->task;
    const char* const not_task = "embedding or --train, not --task";
    check_rules(command.given(), {{"--embed-repeat", embedding, "embedding, not --train or --task"},
                                  {"--precision", !flags->task, not_task},
                                  {"--tokens", !flags->task, not_task},
                                  {"--hidden", flags->task, "--task"},
                                  {"--vocab", !random && !flags->train,
                                   "--model or --options, and not with --train"}});
    if (flags->train && flags->precision == Precision::int8) {
      throw RequestError("--precision: found int8; expected float32 or bfloat16 with --train");
    }
    chosen = [flags] { return run_bench(*flags); };
  });
}

}  // namespace
}  // namespace elmo

int main(int argc, char** argv) {
  elmo::prepare_process();
  elmo::Command command;
  const std::shared_ptr<CLI::App> program = elmo::make_program(
      "elmo-bench", "Measure every stage of elmo as a share of what this machine can do");
  elmo::add_options(elmo::Options(program.get()), command);
  elmo::complete_program(*program);
  return elmo::run_program(*program, command, argc, argv);
}

// `elmo bench`: how fast the stages of `embed` are beside what this machine can do. Its options and
// its report; bench_measure.cpp measures.
#include <CLI/App.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/bench/result.h"
#include "cli/bench/train.h"
#include "cli/command.h"
#include "cli/flags/computing.h"
#include "cli/flags/options.h"
#include "cli/flags/preset.h"
#include "cli/report/human.h"
#include "cli/signals.h"
#include "cli/standard_output.h"
#include "core/model/presets.h"
#include "core/version.h"

namespace elmo {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxRepeat = 1000;
constexpr std::uint64_t kMaxTokens = 1'000'000'000;

template <typename... Values>
std::string format(const char* pattern, Values... values) {
  const int size = std::snprintf(nullptr, 0, pattern, values...);
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), pattern, values...);
  text.pop_back();
  return text;
}

std::string share_text(double share) {
  return share < 10 ? format("%.1f %%", 100 * share) : format("%.0f times", share);
}

std::string row(const char* name, double per_second, const char* unit, double share) {
  return format("%-20s %12s %-18s %10s\n", name,
                human_count(static_cast<std::uint64_t>(per_second)).c_str(), unit,
                share_text(share).c_str());
}

std::string row(const char* name, const BenchStage& stage) {
  return row(name, stage.per_second, "tokens/s", stage.share);
}

std::string table(const BenchFlags& flags, const BenchResult& result) {
  std::string text;
  text += "model      " + result.model + ": " +
          format("%.1f MFLOP a token, %.1f MFLOP a distinct token\n",
                 result.lstm_flop_per_token / 1e6, result.encoder_flop_per_token / 1e6);
  text += "text       " + result.text + ": " + human_count(result.tokens, "token") + ", " +
          human_count(result.distinct_tokens) + " distinct, in " +
          human_count(result.sentences, "sentence") + '\n';
  text += "computing  " + std::string(to_string(flags.precision)) + ", " +
          human_count(static_cast<std::uint64_t>(result.workers), "worker") + " on " +
          human_count(static_cast<std::uint64_t>(result.threads), "thread") + "\n\n";

  text += format("%-20s %12s %-18s %10s\n", "", "speed", "", "of limit");
  text += row("matmul 2048^3", result.peak / 1e9, "GFLOP/s", 1.0);
  text += row("  as LSTM tokens", result.limit(), "tokens/s", 1.0);
  if (result.fused_lstm) {
    text += row("oneDNN lstm_forward", *result.fused_lstm);
  } else {
    text += "oneDNN lstm_forward  none in " + std::string(to_string(flags.precision)) + '\n';
  }
  text += row("LSTMs", result.lstm);
  text += row("character encoder", result.encoder.per_second, "distinct tokens/s",
              result.encoder.share);
  text += row("tokenizer", result.tokenizer);
  text += row("shard writer", result.writer);
  text += row("embed", result.embed);

  text += '\n' +
          format("shard writer   %s/s\n",
                 human_bytes(static_cast<std::uint64_t>(result.writer_bytes_per_second)).c_str());
  text += format(
      "one sentence   %.1f ms for %s (%.1f ms of it the character encoder), %.2f times "
      "the %.1f ms\n               of reading the recurrent weights once a token at %.1f GB/s\n",
      1e3 * result.sentence_seconds, human_count(result.sentence_tokens, "token").c_str(),
      1e3 * result.sentence_encoder_seconds, result.sentence_seconds / result.stream_seconds,
      1e3 * result.stream_seconds, result.read_bytes_per_second / 1e9);
  text += format("start-up       %.2f s\n", result.start_up_seconds);
  return text;
}

Json stage_json(const BenchStage& stage) {
  return {{"tokens_per_second", stage.per_second}, {"share", stage.share}};
}

Json json(const BenchFlags& flags, const BenchResult& result) {
  Json writer = stage_json(result.writer);
  writer["bytes_per_second"] = result.writer_bytes_per_second;
  Json embed = stage_json(result.embed);
  embed["seconds"] = result.embed_seconds;
  return {{"version", version()},
          {"model", result.model},
          {"lstm_flop_per_token", result.lstm_flop_per_token},
          {"encoder_flop_per_token", result.encoder_flop_per_token},
          {"precision", to_string(flags.precision)},
          {"threads", result.threads},
          {"workers", result.workers},
          {"repeat", flags.repeat},
          {"embed_repeat", flags.embed_repeat},
          {"text",
           {{"name", result.text},
            {"sentences", result.sentences},
            {"tokens", result.tokens},
            {"distinct_tokens", result.distinct_tokens}}},
          {"matmul",
           {{"flop_per_second", result.peak},
            {"measured", result.peaks},
            {"tokens_per_second", result.limit()}}},
          {"fused_lstm", result.fused_lstm ? stage_json(*result.fused_lstm) : Json()},
          {"lstm", stage_json(result.lstm)},
          {"encoder",
           {{"distinct_tokens_per_second", result.encoder.per_second},
            {"share", result.encoder.share}}},
          {"tokenizer", stage_json(result.tokenizer)},
          {"writer", writer},
          {"embed", embed},
          {"sentence",
           {{"tokens", result.sentence_tokens},
            {"seconds", result.sentence_seconds},
            {"encoder_seconds", result.sentence_encoder_seconds},
            {"stream_seconds", result.stream_seconds},
            {"read_bytes_per_second", result.read_bytes_per_second}}},
          {"start_up_seconds", result.start_up_seconds}};
}

std::string table(const BenchFlags&, const TrainBenchResult& result) {
  std::string text;
  text += "model      " + result.model + ": " +
          format("%.1f MFLOP a token, %.1f MFLOP a distinct token of a batch\n",
                 result.flop_per_token / 1e6, result.flop_per_distinct_token / 1e6);
  text += "text       " + result.text + "\n";
  text += "batches    " + human_count(static_cast<std::uint64_t>(result.lanes), "lane") + " of " +
          human_count(static_cast<std::uint64_t>(result.unroll), "step") + ", " +
          human_count(static_cast<std::uint64_t>(result.samples), "sample") + " of the softmax, " +
          format("%.0f %% distinct tokens\n", 100 * result.distinct_share);
  text += "computing  float32 on " +
          human_count(static_cast<std::uint64_t>(result.threads), "thread") + "\n\n";
  text += format("%-20s %12s %-18s %10s\n", "", "speed", "", "of limit");
  text += row("matmul 2048^3", result.peak / 1e9, "GFLOP/s", 1.0);
  text += row("train", result.train);
  return text;
}

Json json(const BenchFlags& flags, const TrainBenchResult& result) {
  return {{"version", version()},
          {"model", result.model},
          {"flop_per_token", result.flop_per_token},
          {"flop_per_distinct_token", result.flop_per_distinct_token},
          {"precision", to_string(Precision::float32)},
          {"threads", result.threads},
          {"repeat", flags.repeat},
          {"text", {{"name", result.text}}},
          {"batch",
           {{"lanes", result.lanes},
            {"steps", result.unroll},
            {"samples", result.samples},
            {"distinct_share", result.distinct_share}}},
          {"matmul", {{"flop_per_second", result.peak}, {"measured", result.peaks}}},
          {"train", stage_json(result.train)}};
}

template <typename Result>
ExitCode report(const BenchFlags& flags, const std::optional<Result>& result) {
  if (!result) {
    std::cerr << "elmo: stopped before all was measured\n";
    return kFailure;
  }
  standard_output().write(
      flags.json ? json(flags, *result).dump(2, ' ', false, Json::error_handler_t::replace) + '\n'
                 : table(flags, *result));
  return kDone;
}

ExitCode run_bench(const BenchFlags& flags) {
  const auto tell = [&flags](const std::string& stage) {
    if (!flags.quiet) std::cerr << "elmo: measuring " << stage << '\n';
  };
  if (flags.train) return report(flags, measure_training(flags, tell, stop_on_signals()));
  return report(flags, measure(flags, tell, stop_on_signals()));
}

constexpr const char* kFooter =
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
    "backward. Run it on a machine that does nothing else.";

}  // namespace

void add_bench(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<BenchFlags>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure every stage beside what this machine can do");
  add_model_flags(command, flags->model);
  add_preset(command, flags->preset,
             "Instead of a model of yours: a random one of that architecture")
      ->excludes("--model")
      ->excludes("--options");
  command->add_option("FILE", flags->files,
                      "Text to tokenize and embed; none: made-up words with the frequencies of a "
                      "language, always the same");
  add_whole(command, "--tokens", flags->tokens, "N", std::uint64_t{1}, kMaxTokens,
            "So many tokens of the text, in whole sentences");
  add_precision(command, flags->precision, "Numbers that are multiplied, as of embed");
  add_threads(command, flags->threads);
  add_workers(command, flags->workers);
  add_whole(command, "--repeat", flags->repeat, "N", 1, kMaxRepeat,
            "Times that each stage is measured; the median counts");
  add_whole(command, "--embed-repeat", flags->embed_repeat, "N", 1, kMaxRepeat,
            "The same for embed as a whole");
  command->add_flag("--train", flags->train,
                    "Measure training instead, in float32 and with the defaults of train");
  command->add_flag("--json", flags->json, "Print JSON, shares as fractions of 1");
  command->add_flag("--quiet", flags->quiet, "Do not say on standard error what is being measured");
  command->footer(kFooter);
  command->callback([flags, command, &chosen] {
    check_workers(flags->threads, flags->workers);
    only_with(*command, "--precision", !flags->train, "embedding, not --train");
    only_with(*command, "--workers", !flags->train, "embedding, not --train");
    only_with(*command, "--embed-repeat", !flags->train, "embedding, not --train");
    chosen = [flags] { return run_bench(*flags); };
  });
}

}  // namespace elmo

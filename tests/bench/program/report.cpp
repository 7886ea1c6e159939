#include "tests/bench/program/report.h"

#include <cstdint>

#include "cli/common/reporter.h"
#include "core/text.h"
#include "core/version.h"

namespace elmo {
namespace {

std::string share_text(double share) {
  return share < 10 ? formatted("%.1f %%", 100 * share) : formatted("%.0f times", share);
}

std::string row(const char* name, double per_second, const char* unit, double share) {
  return formatted("%-20s %12s %-18s %10s\n", name,
                   human_count(static_cast<std::uint64_t>(per_second)).c_str(), unit,
                   share_text(share).c_str());
}

std::string row(const char* name, const BenchStage& stage) {
  return row(name, stage.per_second, "tokens/s", stage.share);
}

Json stage_json(const BenchStage& stage) {
  return {{"tokens_per_second", stage.per_second}, {"share", stage.share}};
}

}  // namespace

std::string bench_table(const BenchFlags& flags, const BenchResult& result) {
  std::string text;
  text += "model      " + result.model + ": " +
          formatted("%.1f MFLOP a token, %.1f MFLOP a distinct token\n",
                    result.lstm_flop_per_token / 1e6, result.encoder_flop_per_token / 1e6);
  text += "text       " + result.text + ": " + human_count(result.tokens, "token") + ", " +
          human_count(result.distinct_tokens) + " distinct, in " +
          human_count(result.sentences, "sentence") + '\n';
  text += "computing  " + std::string(kPrecisions.word(flags.precision)) + ", " +
          human_count(static_cast<std::uint64_t>(result.threads), "thread") + "\n\n";

  text += formatted("%-20s %12s %-18s %10s\n", "", "speed", "", "of limit");
  text += row("matmul 2048^3", result.peak / 1e9, "GFLOP/s", 1.0);
  text += row("  as LSTM tokens", result.limit(), "tokens/s", 1.0);
  if (result.fused_lstm) {
    text += row("oneDNN lstm_forward", *result.fused_lstm);
  } else {
    text += "oneDNN lstm_forward  none in " + std::string(kPrecisions.word(flags.precision)) + '\n';
  }
  text += row("LSTMs", result.lstm);
  text += row("character encoder", result.encoder.per_second, "distinct tokens/s",
              result.encoder.share);
  text += row("tokenizer", result.tokenizer);
  text += row("shard writer", result.writer);
  text += row("embed", result.embed);

  text +=
      '\n' +
      formatted("shard writer   %s/s\n",
                human_bytes(static_cast<std::uint64_t>(result.writer_bytes_per_second)).c_str());
  text += formatted(
      "one sentence   %.1f ms for %s (%.1f ms of it the character encoder), %.2f times "
      "the %.1f ms\n               of reading the recurrent weights once a token at %.1f GB/s\n",
      1e3 * result.sentence.seconds, human_count(result.sentence.tokens, "token").c_str(),
      1e3 * result.sentence.encoder_seconds,
      result.sentence.seconds / result.sentence.stream_seconds,
      1e3 * result.sentence.stream_seconds, result.sentence.read_bytes_per_second / 1e9);
  text += formatted("latency        %.1f ms from a sentence in a pipe to its activations\n",
                    1e3 * result.latency_seconds);
  text += formatted("start-up       %.2f s\n", result.start_up_seconds);
  return text;
}

std::string bench_json(const BenchFlags& flags, const BenchResult& result) {
  Json writer = stage_json(result.writer);
  writer["bytes_per_second"] = result.writer_bytes_per_second;
  Json embed = stage_json(result.embed);
  embed["seconds"] = result.embed_seconds;
  return json_document({{"version", version()},
                        {"model", result.model},
                        {"lstm_flop_per_token", result.lstm_flop_per_token},
                        {"encoder_flop_per_token", result.encoder_flop_per_token},
                        {"precision", kPrecisions.word(flags.precision)},
                        {"threads", result.threads},
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
                         {{"tokens", result.sentence.tokens},
                          {"seconds", result.sentence.seconds},
                          {"encoder_seconds", result.sentence.encoder_seconds},
                          {"stream_seconds", result.sentence.stream_seconds},
                          {"read_bytes_per_second", result.sentence.read_bytes_per_second}}},
                        {"latency_seconds", result.latency_seconds},
                        {"start_up_seconds", result.start_up_seconds}});
}

std::string bench_table(const BenchFlags& flags, const TrainBenchResult& result) {
  std::string text;
  text += "model      " + result.model + ": " +
          formatted("%.1f MFLOP a token, %.1f MFLOP a distinct token of a batch\n",
                    result.flop_per_token / 1e6, result.flop_per_distinct_token / 1e6);
  text += "text       " + result.text + "\n";
  text += "batches    " + human_count(static_cast<std::uint64_t>(result.lanes), "lane") + " of " +
          human_count(static_cast<std::uint64_t>(result.unroll), "step") + ", " +
          human_count(static_cast<std::uint64_t>(result.samples), "sample") + " of the softmax, " +
          formatted("%.0f %% distinct tokens\n", 100 * result.distinct_share);
  text += "computing  " + std::string(kPrecisions.word(flags.precision)) + " on " +
          human_count(static_cast<std::uint64_t>(result.threads), "thread") + "\n\n";
  text += formatted("%-20s %12s %-18s %10s\n", "", "speed", "", "of limit");
  text += row("matmul 2048^3", result.peak / 1e9, "GFLOP/s", 1.0);
  text += row("train", result.train);
  return text;
}

std::string bench_json(const BenchFlags& flags, const TrainBenchResult& result) {
  return json_document({{"version", version()},
                        {"model", result.model},
                        {"flop_per_token", result.flop_per_token},
                        {"flop_per_distinct_token", result.flop_per_distinct_token},
                        {"precision", kPrecisions.word(flags.precision)},
                        {"threads", result.threads},
                        {"repeat", flags.repeat},
                        {"text", {{"name", result.text}}},
                        {"batch",
                         {{"lanes", result.lanes},
                          {"steps", result.unroll},
                          {"samples", result.samples},
                          {"distinct_share", result.distinct_share}}},
                        {"matmul", {{"flop_per_second", result.peak}, {"measured", result.peaks}}},
                        {"train", stage_json(result.train)}});
}

std::string bench_table(const BenchFlags&, const TaskBenchResult& result) {
  std::string text;
  text += "model      " + result.model + ", with a biLSTM of " +
          human_count(static_cast<std::uint64_t>(result.hidden), "unit") +
          formatted(" a direction: %.1f MFLOP a token\n", result.flop_per_token / 1e6);
  text += "text       " + result.text + ": " + human_count(result.tokens, "token") + " in " +
          human_count(result.sentences, "sentence") + ", " + human_count(result.batch) +
          " a batch\n";
  text += "computing  float32 on " +
          human_count(static_cast<std::uint64_t>(result.threads), "thread") + "\n\n";
  text += formatted("%-20s %12s %-18s %10s\n", "", "speed", "", "of limit");
  text += row("matmul 2048^3", result.peak / 1e9, "GFLOP/s", 1.0);
  text += row("task train", result.task);
  return text;
}

std::string bench_json(const BenchFlags& flags, const TaskBenchResult& result) {
  return json_document(
      {{"version", version()},
       {"model", result.model},
       {"hidden", result.hidden},
       {"flop_per_token", result.flop_per_token},
       {"precision", kPrecisions.word(Precision::float32)},
       {"threads", result.threads},
       {"repeat", flags.repeat},
       {"text",
        {{"name", result.text}, {"sentences", result.sentences}, {"tokens", result.tokens}}},
       {"batch", {{"sentences", result.batch}}},
       {"matmul", {{"flop_per_second", result.peak}, {"measured", result.peaks}}},
       {"task", stage_json(result.task)}});
}

}  // namespace elmo

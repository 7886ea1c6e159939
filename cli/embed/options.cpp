// `elmo embed`: text to activations.
#include "cli/common/options.h"

#include <cstdint>
#include <memory>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/embed/report.h"
#include "cli/embed/request.h"
#include "io/engine/embed/dry_run.h"
#include "io/engine/embed/run.h"
#include "io/engine/listener.h"
#include "io/shard/manifest.h"

namespace elmo {
namespace {

// Longer than any real sentence.
constexpr std::size_t kMaxTokens = std::size_t{1} << 30;

// Maximum number of tokens in a sample. Its sentences are kept in memory.
constexpr std::uint64_t kMaxSampled = std::uint64_t{1} << 30;

void add_parts(const Options& command, EmbedFlags& flags) {
  const Options app = command.in_group("Input");
  add_whole(
      app, "--parts", flags.parts, "N", std::uint64_t{1}, kMaxParts,
      "Divide the input into N parts of similar size; this run embeds one. `elmo merge` joins "
      "them");
  add_whole(app, "--part", flags.part, "K", std::uint64_t{0}, kMaxParts - 1,
            "Number of the part to embed, from 0")
      .default_str("");
}

void add_selection(const Options& command, EmbedFlags& flags) {
  const Options app = command.in_group("Selection");
  app.add_option("--words", flags.request.words, "FILE|WORD,...",
                 "Keep only these tokens: words separated by commas, or a file with one word per "
                 "line");
  app.add_option("--match", flags.request.expression, "REGEX",
                 "Keep tokens that match this ICU regular expression as a whole, in addition to "
                 "--words");
  app.add_flag("--ignore-case", flags.request.ignore_case, "Ignore case in --words and --match");
  add_whole(app, "--sample", flags.request.sample, "N", std::uint64_t{1}, kMaxSampled,
            "Keep a random sample of N tokens, of all or of those selected by --words and --match");
  add_seed(app, flags.request.seed, "Random seed of --sample");
}

void add_activations(const Options& command, EmbedFlags& flags) {
  const Options app = command.in_group("Activations");
  add_choice(app, "--layers", flags.request.embed.layers, kLayerSelections,
             "Layers to write: `all`, 2L+1 rows of P numbers per token; otherwise one row of 2P");
  add_mixing_flags(app, flags.request.embed, flags.request.mix);
  app.add_flag("--boundaries", flags.request.embed.boundaries,
               "Keep `<S>` and `</S>` as tokens of the sentence");
  add_initial_state(app, flags.request.embed.initial_state, flags.request.embed.lanes);
  add_whole(
      app, "--max-sentence-tokens", "TOKENS", {1, kMaxTokens},
      [&request = flags.request](std::uint64_t tokens) { request.max_sentence_tokens = tokens; },
      "Maximum tokens per sentence; longer ones are split, counted and reported")
      .default_str(std::to_string(kDefaultMaxSentenceTokens) + "; with fasta " +
                   std::to_string(kMaxSequenceResidues));
  add_choice(
      app, "--pool", flags.pool, kPoolKinds,
      "Pool the tokens of a sentence into one row: their mean, maximum, or first and last side by "
      "side");
  add_choice(app, "--pool-by", flags.pool_by, kPoolUnits, "Unit that --pool makes a row of");
  app.add_flag("--unit-length", flags.unit_length,
               "Divide each vector of a pooled row by its length (L2)");
  app.add_flag(
      "--average-words", flags.average_words,
      "Write each word's mean vector: word2vec's text (.txt, .vec) or binary (.bin), or Arrow");
  add_whole(app, "--min-count", flags.request.min_count, "N", std::uint64_t{1}, ~std::uint64_t{0},
            "Minimum count of a word (--average-words)");
}

void add_output(const Options& command, EmbedFlags& flags) {
  const Options app = command.in_group("Output");
  app.add_option("-o,--output", flags.request.output, "PATH",
                 "Output folder for shards, or file with --layout allennlp or --average-words");
  add_output_format(
      app, "--format", flags.format,
      [](const OutputFormat& format) {
        return format.computed && (format.to_stream || format.of_words);
      },
      "Write to standard output instead of -o; with -o, the format of --average-words");
  add_output_format(
      app, "--layout", flags.layout,
      [](const OutputFormat& format) {
        return format.computed && !format.to_stream && !format.of_words;
      },
      "File layout");
  add_choice(app, "--dtype", flags.request.dtype, kDtypes,
             "Type of the output's numbers; int8 has a scale per row");
  add_compression(app, flags.request.compression, "Compression of the shards");
  add_bytes(app, "--shard-size", flags.request.shard_bytes,
            "Maximum size of a shard's activations before compression, in bytes: `64M`, `1GiB`");
  app.add_flag("--forget-sentences", flags.request.forget_sentences,
               "Omit sentence_to_index (--layout allennlp)");
  app.add_flag("--resume", flags.resume, "Resume the run in PATH, if any");
  app.add_flag("--overwrite", flags.overwrite, "Replace the run or file at PATH");
}

void add_computing(const Options& command, EmbedFlags& flags) {
  const Options app = command.in_group("Computing");
  add_choice(app, "--precision", flags.request.precision, kPrecisions,
             "Precision of the arithmetic (products), not of the output; `elmo info` lists what "
             "this CPU supports");
  add_threads(app, flags.request.resources.threads);
  add_workers(app, flags.request.resources.workers);
  add_memory(app, flags.request.resources.memory_bytes);
  add_whole(app, "--batch-tokens", flags.request.resources.batch_tokens, "TOKENS", std::size_t{1},
            kMaxTokens, "Maximum tokens per batch")
      .default_str("from the model's size and --memory");
}

ExitCode plan_and_report(const EmbedFlags& flags) {
  RunReport report(flags.quiet);
  const RunPlan plan = dry_run(request_of(flags), report);
  standard_output().write(flags.json ? plan_json(plan) : plan_text(plan));
  note_input(report, plan.input);
  return kDone;
}

ExitCode embed_and_report(const EmbedFlags& flags) {
  if (flags.dry_run) return plan_and_report(flags);
  const EmbedRequest request = request_of(flags);
  // A stream leaves nothing to clean up, so signals may end the process.
  const bool stream = request.format->to_stream;
  if (stream) refuse_terminal();
  RunReport report(flags.quiet);
  note_folder(request, report);
  const EmbedOutcome outcome =
      run_embed(request, &standard_output(), stream ? kNeverStop : stop_on_signals(), report);
  report_embed(request, outcome, report);
  using End = EmbedOutcome::End;
  const bool stopped = outcome.end == End::stopped || outcome.end == End::not_changed ||
                       outcome.end == End::never_started;
  if (!stopped) return kDone;
  return request.format->is_shards() && request.sample == 0 ? kStopped : kInterrupted;
}

}  // namespace

void add_embed(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<EmbedFlags>();
  EmbedRequest* const request = &flags->request;
  Options command = app.add_subcommand("embed", "Compute the activations of every token of a text");
  add_model_flags(command, request->model);
  add_input_flags(command, request->input);
  add_parts(command, *flags);
  add_selection(command, *flags);
  add_activations(command, *flags);
  add_output(command, *flags);
  add_computing(command, *flags);
  command.add_flag("--dry-run", flags->dry_run,
                   "Compute a sample and estimate tokens, bytes and time of the whole run");
  command.add_flag("--json", flags->json, "Print the estimate as JSON");
  command.add_flag("--quiet", flags->quiet, "Print only errors");
  command.footer(
      "L is the number of layers, P the projection width.\nExit codes: 0 done, 1 failure, 2 usage, "
      "3 bad input, 4 stopped by a signal (continue with --resume), 5 stopped by a signal with "
      "nothing to resume.");
  run_if_chosen(command, flags, embed_and_report, chosen);
}

}  // namespace elmo

// `elmo embed`: text to activations.
#include "cli/common/options.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/embed/request.h"
#include "core/text.h"
#include "io/engine/embed/dry_run.h"
#include "io/engine/embed/run.h"
#include "io/engine/listener.h"
#include "io/outputs/outputs.h"
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

void report_summary(const EmbedRequest& request, const EmbedSummary& run, RunReport& report) {
  const bool selected = request.selects();
  if (!run.model.empty()) report.note("model " + run.model);
  report.note(human_count(run.tokens, "token") + " in " + human_count(run.sentences, "sentence") +
              " of " + human_count(run.documents, "document") +
              (run.tokenizer.empty() ? "" : " (tokenizer " + run.tokenizer + ")"));
  note_count(report, run.earlier_tokens, "token",
             selected ? "of them read before" : "of them embedded before");
  if (selected) {
    report.note(human_count(run.done.kept_tokens, "token") + " kept, in " +
                human_count(run.done.kept_sentences, "sentence"));
  }
  note_count(report, run.done.distinct_tokens, "distinct token", "encoded");
  note_count(report, run.done.truncated_tokens, "token", "longer than the model reads, truncated");
  note_count(report, run.done.unknown_tokens, "token", "not in the vocabulary, read as <UNK>");
  note_count(
      report, run.cut_sentences, "sentence",
      "of more than " + human_count(max_sentence_tokens(request), "token") + ", cut into pieces");
  note_input(report, run.input);
  report.note(human_time(run.time) + ", " +
              human_rate(static_cast<double>(run.tokens - run.earlier_tokens), run.time, "tokens"));
}

void report_stop(const EmbedRequest& request, const EmbedOutcome& outcome, RunReport& report) {
  const OutputFormat& format = *request.format;
  if (format.is_shards()) report.note("stopped; " + published_text(outcome.shards, request));
  if (!format.stopped.empty()) RunReport(false).note("stopped; " + std::string(format.stopped));
}

/// Notes that the output will be a folder if its name is that of a single file.
void note_folder(const EmbedRequest& request, RunReport& report) {
  const std::filesystem::path path = request.output;
  const std::string ending = path.extension().string();
  if (!request.format->is_shards()) return;
  if (ending == ".hdf5" || ending == ".h5") {
    report.note(request.output +
                " will be a folder of shards; for one file, use --layout allennlp");
  }
  const auto is_ending_of = [&ending](const OutputFormat& format) {
    return format.exported && format.has_ending(ending);
  };
  if (std::ranges::any_of(output_formats(), is_ending_of)) {
    report.note(request.output +
                " will be a folder of shards; `elmo export` writes such a file from them");
  }
}

/// Prints the outcome. If the output could not be kept, says so even if `report` is quiet.
void report_embed(const EmbedRequest& request, const EmbedOutcome& outcome, RunReport& report) {
  using End = EmbedOutcome::End;
  if (outcome.summary) report_summary(request, *outcome.summary, report);
  switch (outcome.end) {
    case End::complete:
      report.note(outcome.written);
      return;
    case End::was_complete:
      report.note(outcome.folder + " is complete; there is nothing to resume");
      return;
    case End::index_remade:
      report.note(outcome.folder + " is complete; its missing or damaged index is rebuilt");
      return;
    case End::stopped:
      report_stop(request, outcome, report);
      return;
    case End::not_changed:
      report.note("stopped while " + outcome.folder + " was checked; nothing was changed");
      return;
    case End::never_started:
      report.note("stopped before computing; nothing was changed");
      return;
  }
}

constexpr double kPartSeconds = 1800;

double total_seconds(const RunPlan& plan, const RunPlan::Speed& speed) {
  return plan.reading_seconds + speed.seconds;
}

/// Returns the number of parts, of about half an hour each, into which to divide the run; 1 if it
/// cannot be divided or is too short for two parts.
std::uint64_t wise_parts(const RunPlan& plan, const RunPlan::Speed& speed) {
  if (!plan.divisible) return 1;
  return std::max<std::uint64_t>(1, nearest_whole(total_seconds(plan, speed) / kPartSeconds));
}

/// Makes a table with columns as wide as their widest cell. The first column is aligned left, the
/// others right.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    text += row.front() + std::string(widths.front() - row.front().size(), ' ');
    for (std::size_t i = 1; i < row.size(); ++i) {
      text += std::string(2 + widths[i] - row[i].size(), ' ') + row[i];
    }
    text += '\n';
  }
  return text;
}

std::string size_table(const RunPlan& plan) {
  std::vector<std::vector<std::string>> rows{{"shards"}};
  for (const auto& [word, dtype] : kDtypes) rows.front().emplace_back(word);
  std::vector<std::string> layers;
  for (const RunPlan::Size& size : plan.sizes) {
    add_once(layers, size.layers);
  }
  const auto add = [&](const std::string& name, const std::string& of, const auto& bytes) {
    rows.push_back({name});
    for (const RunPlan::Size& size : plan.sizes) {
      if (size.layers == of) rows.back().push_back(human_bytes(bytes(size)));
    }
  };
  const bool zstd = plan.sizes.front().zstd_bytes.has_value();
  for (const std::string& name : layers) {
    add("--layers " + name, name, [](const RunPlan::Size& size) { return size.bytes; });
    add("  --compression gzip", name, [](const RunPlan::Size& size) { return size.gzip_bytes; });
    if (!zstd) continue;
    add("  --compression zstd", name, [](const RunPlan::Size& size) { return *size.zstd_bytes; });
  }
  return table(rows);
}

std::string speed_table(const RunPlan& plan) {
  std::vector<std::vector<std::string>> rows{
      {human_count(static_cast<std::uint64_t>(plan.threads), "thread"), "tokens/s", "time"}};
  for (const RunPlan::Speed& speed : plan.speeds) {
    rows.push_back({"--precision " + std::string(kPrecisions.word(speed.precision)),
                    human_count(nearest_whole(speed.tokens_per_second)),
                    human_time(speed.seconds)});
  }
  return table(rows);
}

/// The plan for people: counts, bytes and minutes, a table of shard sizes by layers and dtype, and
/// a table of times by precision.
std::string plan_text(const RunPlan& plan) {
  std::string text = human_count(plan.input.documents, "document") + ", " +
                     human_count(plan.sentences, "sentence") + ", " +
                     human_count(plan.tokens, "token") + '\n';
  if (!plan.rows_are_tokens) {
    text += human_count(plan.rows, "row") + ", of " + human_count(plan.computed_tokens, "token") +
            " that are computed\n";
  }
  text += "about " + human_bytes(plan.bytes) + '\n';
  if (plan.speeds.empty()) return text;
  const RunPlan::Speed& chosen = plan.speeds.front();
  const double seconds = total_seconds(plan, chosen);
  text += "about " + human_time(seconds) + " at " + human_rate(chosen.tokens_per_second, "tokens") +
          ", from a sample\n";
  if (const std::uint64_t parts = wise_parts(plan, chosen); parts > 1) {
    text += "parts of about " + human_time(seconds / static_cast<double>(parts)) +
            " on such machines: " + human_count(parts) + '\n';
  }
  if (!plan.sizes.empty()) text += '\n' + size_table(plan);
  return text + '\n' + speed_table(plan);
}

/// The plan as JSON.
std::string plan_json(const RunPlan& plan) {
  Json sizes = Json::array();
  for (const RunPlan::Size& size : plan.sizes) {
    sizes.push_back({{"layers", size.layers},
                     {"dtype", kDtypes.word(size.dtype)},
                     {"bytes", size.bytes},
                     {"gzip_bytes", size.gzip_bytes},
                     {"zstd_bytes", size.zstd_bytes ? Json(*size.zstd_bytes) : Json(nullptr)}});
  }
  Json speeds = Json::array();
  for (const RunPlan::Speed& speed : plan.speeds) {
    speeds.push_back({{"precision", kPrecisions.word(speed.precision)},
                      {"tokens_per_second", speed.tokens_per_second},
                      {"seconds", speed.seconds},
                      {"parts", wise_parts(plan, speed)}});
  }
  return json_document({{"documents", plan.input.documents},
                        {"sentences", plan.sentences},
                        {"tokens", plan.tokens},
                        {"rows", plan.rows},
                        {"bytes", plan.bytes},
                        {"threads", plan.threads},
                        {"reading_seconds", plan.reading_seconds},
                        {"sizes", sizes},
                        {"speeds", speeds}});
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

// `elmo embed`: text to activations. Defines its options and makes the request from them.

#include "cli/embed/options.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/command.h"
#include "cli/common/input_notes.h"
#include "cli/common/option_groups.h"
#include "cli/common/options.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/task_mix_options.h"
#include "cli/embed/dry_run.h"
#include "cli/embed/report.h"
#include "cli/embed/run.h"
#include "core/enum_table.h"
#include "core/error.h"
#include "io/files/paths.h"

namespace elmo {
namespace {

enum class Layout { shards, allennlp };
enum class Format { jsonl, npy, word2vec_text, word2vec_binary };
constexpr auto kLayouts =
    enum_table<Layout>({{"shards", Layout::shards}, {"allennlp", Layout::allennlp}});
constexpr auto kFormats = enum_table<Format>({{"jsonl", Format::jsonl},
                                              {"npy", Format::npy},
                                              {"word2vec-text", Format::word2vec_text},
                                              {"word2vec-binary", Format::word2vec_binary}});

struct EmbedFlags {
  InputOptions input;
  ModelRequest model;
  SelectionFlags selection;
  EmbedOptions embed;
  TaskMixRequest mix;  ///< the task model of the mixture; empty: the mixture is in `embed`
  Precision precision = Precision::float32;
  std::size_t max_sentence_tokens = kDefaultMaxSentenceTokens;

  std::string output;            ///< empty: standard output
  std::optional<Format> format;  ///< of standard output, or of word averages
  Layout layout = Layout::shards;
  Dtype dtype = Dtype::float32;
  h5::Compression compression = h5::Compression::none;
  std::uint64_t shard_bytes = std::uint64_t{1} << 30;
  std::uint64_t parts = 0;  ///< number of parts of the input; 0: not divided
  std::uint64_t part = 0;   ///< the part to embed
  bool forget_sentences = false;
  bool resume = false;
  bool overwrite = false;

  bool quiet = false;
  bool dry_run = false;
  bool json = false;  ///< a dry run prints JSON
};

// Longer than any sentence.
constexpr std::size_t kMaxTokens = std::size_t{1} << 30;

constexpr std::uint64_t kMaxParts = 100'000;

void add_part_flags(Options command, EmbedFlags& flags) {
  const std::string group = "Input";
  add_whole(
      command, "--parts", flags.parts, "N", std::uint64_t{1}, kMaxParts,
      "Divide the input into N parts of similar size; this run embeds one. `elmo merge` joins "
      "them")
      ->group(group);
  add_whole(command, "--part", flags.part, "K", std::uint64_t{0}, kMaxParts - 1,
            "Number of the part to embed, from 0")
      ->default_str("")
      ->group(group);
}

void add_output_flags(Options command, EmbedFlags& flags) {
  const std::string group = "Output";
  command
      ->add_option("-o,--output", flags.output,
                   "Output folder for shards, or file with --layout allennlp or --average-words")
      ->type_name("PATH")
      ->group(group);
  add_choice(
      command, "--format", flags.format, kFormats,
      "Write to standard output instead of -o: one JSON object or NumPy array per sentence. With "
      "-o, the format of --average-words")
      ->group(group);
  add_choice(command, "--layout", flags.layout, kLayouts,
             "File layout: `shards`, HDF5 with a row per token; `allennlp`, one HDF5 file with a "
             "dataset per sentence")
      ->group(group);
  add_dtype(
      command, "--dtype", flags.dtype,
      "Output type; int8 has a scale per row. allennlp: float32 only; npy: float32 or float16")
      ->group(group);
  add_compression(command, flags.compression, "Compression of the shards")->group(group);
  add_bytes(command, "--shard-size", flags.shard_bytes,
            "Maximum size of a shard's activations before compression, in bytes: `64M`, `1GiB`")
      ->group(group);
  command
      ->add_flag("--forget-sentences", flags.forget_sentences,
                 "Omit sentence_to_index (--layout allennlp)")
      ->group(group);
  command->add_flag("--resume", flags.resume, "Resume the run in PATH, if any")->group(group);
  command->add_flag("--overwrite", flags.overwrite, "Replace the run or file at PATH")
      ->group(group);
}

void add_activation_flags(Options command, EmbedFlags& flags) {
  const std::string group = "Activations";
  EmbedOptions& embed = flags.embed;
  add_choice(command, "--layers", embed.layers, kLayerSelections,
             "Layers to write: `all`, 2L+1 rows of P numbers per token; otherwise one row of 2P")
      ->group(group);
  add_mixing_flags(command, embed, flags.mix, group);
  command
      ->add_flag("--boundaries", flags.selection.boundaries,
                 "Keep `<S>` and `</S>` as tokens of the sentence")
      ->group(group);
  add_initial_state(command, embed.initial_state, embed.lanes, group);
  add_whole(command, "--max-sentence-tokens", flags.max_sentence_tokens, "TOKENS", std::size_t{1},
            kMaxTokens, "Maximum tokens per sentence; longer ones are split, counted and reported")
      ->group(group);
}

void add_computing_flags(Options command, EmbedFlags& flags) {
  const std::string group = "Computing";
  EmbedOptions& embed = flags.embed;
  add_precision(command, flags.precision,
                "Precision of products; `elmo info` lists what this CPU supports")
      ->group(group);
  add_threads(command, embed.threads)->group(group);
  add_workers(command, embed.workers)->group(group);
  add_memory(command, embed.memory_bytes)->group(group);
  add_whole(command, "--batch-tokens", embed.batch_tokens, "TOKENS", std::size_t{1}, kMaxTokens,
            "Maximum tokens per batch")
      ->default_str("from the model's size and --memory")
      ->group(group);
}

/// Throws RequestError for options of the activations that cannot be combined.
void check_activations(const Options& command, const EmbedFlags& flags) {
  const EmbedOptions& embed = flags.embed;
  check_mixing_flags(command, embed.layers, flags.mix);
  check_initial_state(command, embed.initial_state);
  check_workers(embed.threads, embed.workers);
}

/// Throws RequestError for options of the output that cannot be combined.
void check_output(const Options& command, const EmbedFlags& flags) {
  const bool folder = !flags.output.empty();
  const bool averages = flags.selection.average_words;
  const bool shards = flags.layout == Layout::shards && !averages;
  for (const char* option : {"--layout", "--compression", "--shard-size", "--forget-sentences",
                             "--resume", "--overwrite"}) {
    only_with(command, option, folder || flags.dry_run, "-o PATH");
  }
  for (const char* option : {"--words", "--match", "--sample", "--pool", "--average-words"}) {
    only_with(command, option, flags.layout == Layout::shards, "--layout shards or --format");
  }
  only_with(command, "--format", !folder || averages, "standard output, without -o");
  for (const char* option : {"--shard-size", "--resume", "--compression"}) {
    only_with(command, option, shards, "--layout shards");
  }
  only_with(command, "--dtype", shards, "--layout shards or --format");
  only_with(command, "--forget-sentences", !shards, "--layout allennlp");
  only_with(command, "--json", flags.dry_run, "--dry-run");
  if (flags.resume && flags.overwrite) {
    throw RequestError("--resume needs what --overwrite removes; use one of them");
  }
}

/// Returns the part that --parts and --part select. RequestError for options that parts do not
/// support.
std::optional<InputPart> part_of(const Options& command, const EmbedFlags& flags) {
  if (command.count("--parts") != command.count("--part")) {
    throw RequestError(
        "--parts says how many parts there are, --part which one is embedded; give "
        "both or neither");
  }
  if (flags.parts == 0) return std::nullopt;
  if (flags.part >= flags.parts) {
    throw RequestError("--part " + std::to_string(flags.part) + " of --parts " +
                       std::to_string(flags.parts) + " is none; parts are counted from 0 to " +
                       std::to_string(flags.parts - 1));
  }
  only_with(command, "--parts", !flags.output.empty() || flags.dry_run, "-o PATH");
  only_with(command, "--parts", flags.layout == Layout::shards, "--layout shards");
  if (flags.model.model == kAutoModel) {
    throw RequestError(
        "--model auto looks at the beginning of the text, of which every part has another: name "
        "one model for all --parts");
  }
  if (flags.selection.pool && flags.selection.pool_by == PoolUnit::document &&
      flags.input.format == InputFormat::jsonl) {
    throw RequestError(
        "--parts with --pool-by document: a record without an id is called by its "
        "line, which a part does not know; embed each file of jsonl as a whole");
  }
  return InputPart{flags.part, flags.parts};
}

StartState start_state(const EmbedOptions& embed) {
  if (embed.initial_state == InitialState::carry) return CarriedState{embed.lanes};
  return embed.initial_state == InitialState::warm ? OwnState::warm : OwnState::zero;
}

/// Throws RequestError with `reason` if the state is carried.
OwnState own_state(const EmbedOptions& embed, const std::string& reason) {
  const StartState start = start_state(embed);
  if (std::holds_alternative<CarriedState>(start)) throw RequestError(reason);
  return std::get<OwnState>(start);
}

SampledTokens sample(const EmbedFlags& flags) {
  return sampled_tokens(
      flags.selection,
      own_state(
          flags.embed,
          "--sample with --initial-state carry: a state that is carried needs every sentence, "
          "and only those of the sample are computed; use --words, or another initial state"));
}

/// The whole text, or a sample of its tokens.
template <typename RowsOfIt>
std::variant<WholeText<RowsOfIt>, SampledTokens> content_of(const EmbedFlags& flags,
                                                            RowsOfIt rows(const SelectionFlags&)) {
  if (flags.selection.sample > 0) return sample(flags);
  return WholeText<RowsOfIt>{rows(flags.selection), start_state(flags.embed)};
}

ShardOutput shard_output(const EmbedFlags& flags, std::optional<InputPart> part) {
  ShardOutput output;
  output.folder = flags.output;
  output.dtype = flags.dtype;
  output.compression = flags.compression;
  output.shard_bytes = flags.shard_bytes;
  if (flags.selection.sample > 0) {
    output.content = SampleShards{sample(flags), flags.overwrite};
    return output;
  }
  ResumableShards shards;
  if (flags.resume) shards.mode = RunMode::resume;
  if (flags.overwrite) shards.mode = RunMode::overwrite;
  if (part) {
    shards.text = TextPart{
        *part, rows(flags.selection),
        own_state(flags.embed,
                  "--initial-state carry hands the state on from one sentence to the next, through "
                  "the whole input: --parts cannot begin in the middle")};
  } else {
    shards.text = WholeText<Rows>{rows(flags.selection), start_state(flags.embed)};
  }
  output.content = std::move(shards);
  return output;
}

StreamOutput stream_output(const EmbedFlags& flags) {
  const bool npy = flags.format == Format::npy;
  if (!npy && flags.format != Format::jsonl) {
    throw RequestError("--format: word2vec's formats hold a vector a word; give --average-words");
  }
  if (npy && !is_numpy(flags.dtype)) {
    throw RequestError("--dtype " + std::string(kDtypes.word(flags.dtype)) +
                       " with --format npy: " +
                       (flags.dtype == Dtype::int8 ? "an array has no place for the scales of int8"
                                                   : "NumPy has no bfloat16") +
                       "; choose float32 or float16, or shards (-o PATH)");
  }
  StreamOutput output;
  output.to = {&lasting_standard_output(), npy ? StreamFormat::npy : StreamFormat::jsonl};
  output.dtype = flags.dtype;
  output.content = content_of(flags, rows);
  return output;
}

/// Returns the format of word averages, by --format or the file's name.
WordVectorFormat word_format(const EmbedFlags& flags) {
  if (flags.format == Format::word2vec_text) return WordVectorFormat::text;
  if (flags.format == Format::word2vec_binary) return WordVectorFormat::binary;
  if (flags.format) {
    throw RequestError("--format with --average-words: expected word2vec-text or word2vec-binary");
  }
  const std::string extension = std::filesystem::path(flags.output).extension().string();
  if (extension == ".bin") return WordVectorFormat::binary;
  if (extension == ".txt" || extension == ".vec" || flags.dry_run) return WordVectorFormat::text;
  throw RequestError("-o " + flags.output +
                     ": the name does not tell the format; call it .txt, .vec or .bin, or give "
                     "--format word2vec-text or word2vec-binary");
}

WordAverageOutput word_output(const EmbedFlags& flags) {
  if (flags.output.empty() && !flags.dry_run) {
    throw RequestError("--average-words needs a file to write; give it with -o FILE");
  }
  WordAverageOutput output;
  output.path = flags.output;
  output.format = word_format(flags);
  output.min_count = flags.selection.min_count;
  output.overwrite = flags.overwrite;
  output.content = content_of(flags, tokens);
  return output;
}

EmbedOutput output_of(const Options& command, const EmbedFlags& flags) {
  const std::optional<InputPart> part = part_of(command, flags);
  if (flags.selection.average_words) return word_output(flags);
  if (flags.layout == Layout::allennlp) {
    return AllenNlpOutput{flags.output,
                          {{flags.selection.boundaries}, start_state(flags.embed)},
                          flags.forget_sentences,
                          flags.overwrite};
  }
  if (flags.format) return stream_output(flags);
  if (flags.output.empty() && !flags.dry_run) {
    throw RequestError(
        "no output given: use -o PATH for files, or --format jsonl or npy for standard output");
  }
  return shard_output(flags, part);
}

/// Returns the request that the options make. RequestError for options that cannot be combined;
/// other errors as read_word_list and read_task_mix.
EmbedRequest request_of(const Options& command, const EmbedFlags& flags) {
  check_input_flags(command, flags.input);
  check_activations(command, flags);
  check_selection(command, flags.selection);
  check_output(command, flags);
  require_other_file("-o", flags.output,
                     {flags.model.model, flags.model.options, flags.model.weights,
                      flags.model.vocabulary, flags.selection.words});
  EmbedRequest request;
  request.output = output_of(command, flags);
  request.input = flags.input;
  request.model = flags.model;
  if (!flags.mix.task.empty()) request.task = read_task_mix(flags.mix);
  request.embed = request.task ? with_mix(flags.embed, *request.task) : flags.embed;
  request.precision = flags.precision;
  request.max_sentence_tokens = flags.max_sentence_tokens;
  return request;
}

ExitCode plan(const EmbedRequest& request, bool json, RunReport& report) {
  const RunPlan plan = dry_run(request, report);
  standard_output().write(json ? plan_json(plan) : plan_text(plan));
  note_input(report, plan.input);
  return kDone;
}

ExitCode run(const EmbedRequest& request, RunReport& report) {
  // A stream leaves nothing to clean up, so signals may end the process.
  const bool stream = std::holds_alternative<StreamOutput>(request.output);
  const EmbedOutcome outcome = run_embed(request, stream ? kNeverStop : stop_on_signals(), report);
  report_embed(request, outcome, report);
  using End = EmbedOutcome::End;
  const bool stopped = outcome.end == End::stopped || outcome.end == End::not_changed ||
                       outcome.end == End::never_started;
  if (!stopped) return kDone;
  // Averages cannot be resumed.
  return std::holds_alternative<WordAverageOutput>(request.output) ? kInterrupted : kStopped;
}

}  // namespace

void add_embed(Options& app, Command& chosen) {
  const auto flags = std::make_shared<EmbedFlags>();
  Options command = app.add_subcommand("embed", "Compute the activations of every token of a text");
  add_model_flags(command, flags->model);
  add_input_flags(command, flags->input);
  add_part_flags(command, *flags);
  add_selection_flags(command, flags->selection);
  add_activation_flags(command, *flags);
  add_pooling_flags(command, flags->selection);
  add_output_flags(command, *flags);
  add_computing_flags(command, *flags);
  command->add_flag("--dry-run", flags->dry_run,
                    "Compute a sample and estimate tokens, bytes and time of the whole run");
  command->add_flag("--json", flags->json, "Print the estimate as JSON");
  command->add_flag("--quiet", flags->quiet, "Print only errors");
  command->footer(
      "L is the number of layers, P the projection width.\nExit codes: 0 done, 1 failure, 2 usage, "
      "3 bad input, 4 stopped by a signal; continue with --resume.");
  command->callback([command, flags, &chosen] {
    const auto request = std::make_shared<const EmbedRequest>(request_of(*command, *flags));
    if (std::holds_alternative<StreamOutput>(request->output) && !flags->dry_run) refuse_terminal();
    chosen = [request, flags] {
      RunReport report(flags->quiet);
      return flags->dry_run ? plan(*request, flags->json, report) : run(*request, report);
    };
  });
}

namespace {

// Maximum number of tokens in a sample, whose sentences are kept in memory.
constexpr std::uint64_t kMaxSampled = std::uint64_t{1} << 30;

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

std::vector<std::string> listed_words(const std::string& list) {
  std::vector<std::string> words;
  for (const std::string_view word : comma_list(list)) {
    if (word.empty()) {
      throw RequestError("--words " + list +
                         ": found an empty word; expected words with commas between them, or a "
                         "file with a word a line");
    }
    words.emplace_back(word);
  }
  return words;
}

std::optional<TokenQuery> query_of(const SelectionFlags& flags) {
  if (flags.words.empty() && flags.expression.empty()) return std::nullopt;
  TokenQuery query;
  if (!flags.words.empty()) {
    const bool names_file = is_there(flags.words) && !is_folder(flags.words);
    query.words = names_file ? read_word_list(flags.words) : listed_words(flags.words);
    std::ranges::sort(query.words);
    query.words.erase(std::unique(query.words.begin(), query.words.end()), query.words.end());
  }
  query.expression = flags.expression;
  query.ignore_case = flags.ignore_case;
  return query;
}

/// Options that exclude each other, and why.
struct Conflict {
  const char* option;
  const char* other;
  const char* reason;
};

constexpr const char* kNoWords = "`<S>` and `</S>` are no words of the text";
constexpr Conflict kConflicts[] = {
    {"--sample", "--resume",
     "a sample is drawn from the whole text before anything is computed, so there is nothing to go "
     "on with; start again with --overwrite"},
    {"--sample", "--pool", "tokens drawn at random stand for the corpus, not for their sentences"},
    {"--average-words", "--pool", "words are averaged over tokens"},
    {"--average-words", "--resume", "averages are in memory until all is read; start again"},
    {"--sample", "--parts",
     "a sample is drawn from the whole text, and a part reads its own; choose --words, or draw "
     "from "
     "each file alone"},
    {"--average-words", "--parts", "a mean over the whole text is none of means over parts"},
    {"--words", "--boundaries", kNoWords},
    {"--match", "--boundaries", kNoWords},
    {"--sample", "--boundaries", kNoWords},
    {"--pool", "--boundaries", kNoWords}};

}  // namespace

void add_selection_flags(Options app, SelectionFlags& flags) {
  const std::string group = "Selection";
  app->add_option("--words", flags.words,
                  "Keep only these tokens: words separated by commas, or a file with one word per "
                  "line")
      ->type_name("FILE|WORD,...")
      ->group(group);
  app->add_option("--match", flags.expression,
                  "Keep tokens that match this ICU regular expression as a whole, in addition to "
                  "--words")
      ->type_name("REGEX")
      ->group(group);
  app->add_flag("--ignore-case", flags.ignore_case, "Ignore case in --words and --match")
      ->group(group);
  add_whole(app, "--sample", flags.sample, "N", std::uint64_t{1}, kMaxSampled,
            "Keep a random sample of N tokens, of all or of those selected by --words and --match")
      ->group(group);
  add_whole(app, "--seed", flags.seed, "N", std::uint64_t{0}, kAnyNumber, "Random seed of --sample")
      ->group(group);
}

void add_pooling_flags(Options app, SelectionFlags& flags) {
  const std::string group = "Activations";
  add_choice(
      app, "--pool", flags.pool, kPoolKinds,
      "Pool the tokens of a sentence into one row: their mean, maximum, or first and last side by "
      "side")
      ->group(group);
  add_choice(app, "--pool-by", flags.pool_by, kPoolUnits, "Unit that --pool makes a row of")
      ->group(group);
  app->add_flag(
         "--average-words", flags.average_words,
         "Write each word's mean vector in a word2vec format: text (.txt, .vec) or binary (.bin)")
      ->group(group);
  add_whole(app, "--min-count", flags.min_count, "N", std::uint64_t{1}, kAnyNumber,
            "Minimum count of a word (--average-words)")
      ->group(group);
}

void check_selection(const Options& app, const SelectionFlags& flags) {
  const bool words = !flags.words.empty() || !flags.expression.empty();
  only_with(app, "--ignore-case", words, "--words or --match");
  only_with(app, "--seed", flags.sample > 0, "--sample N");
  only_with(app, "--pool-by", flags.pool.has_value(), "--pool");
  only_with(app, "--min-count", flags.average_words, "--average-words");
  for (const Conflict& conflict : kConflicts) {
    if (app.count(conflict.option) == 0 || app.count(conflict.other) == 0) continue;
    throw RequestError(std::string(conflict.option) + " with " + conflict.other + ": " +
                       conflict.reason);
  }
}

Tokens tokens(const SelectionFlags& flags) {
  if (std::optional<TokenQuery> query = query_of(flags)) return ChosenTokens{*std::move(query)};
  return EveryToken{flags.boundaries};
}

Rows rows(const SelectionFlags& flags) {
  if (flags.pool) return PooledTokens{{*flags.pool, flags.pool_by}, query_of(flags)};
  return std::visit([](auto&& kind) -> Rows { return kind; }, tokens(flags));
}

SampledTokens sampled_tokens(const SelectionFlags& flags, OwnState start) {
  return {flags.sample, flags.seed, query_of(flags), start};
}

}  // namespace elmo

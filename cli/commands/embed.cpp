// `elmo embed`: text to activations. Its options; embed_run.cpp and dry_run.cpp do the work.
#include "cli/commands/embed.h"

#include <CLI/App.hpp>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/flags/computing.h"
#include "cli/flags/input.h"
#include "cli/flags/model.h"
#include "cli/flags/options.h"
#include "cli/flags/output.h"
#include "cli/flags/selection.h"
#include "cli/flags/task_mix.h"
#include "cli/process/standard_output.h"
#include "core/error.h"

namespace elmo {
namespace {

// Past any sentence.
constexpr int kMaxEmbedLanes = 65536;
constexpr std::size_t kMaxTokens = std::size_t{1} << 30;

constexpr std::uint64_t kMaxParts = 100'000;

void add_part_flags(CLI::App* command, EmbedFlags& flags) {
  const std::string group = "Input";
  add_whole(command, "--parts", flags.parts, "N", std::uint64_t{1}, kMaxParts,
            "Read the input in N parts of about the same size, on as many machines as there are: "
            "this run embeds --part alone, into a folder of its own in PATH; `elmo merge PATH` "
            "joins them all")
      ->group(group);
  add_whole(command, "--part", flags.part, "K", std::uint64_t{0}, kMaxParts - 1,
            "The part of --parts to embed, from 0")
      ->default_str("")
      ->group(group);
}

/// RequestError for what cannot be done in parts.
void check_parts(const CLI::App& command, EmbedFlags& flags) {
  if (command.count("--parts") != command.count("--part")) {
    throw RequestError(
        "--parts says how many parts there are, --part which one is embedded; give "
        "both or neither");
  }
  if (flags.parts == 0) return;
  if (flags.part >= flags.parts) {
    throw RequestError("--part " + std::to_string(flags.part) + " of --parts " +
                       std::to_string(flags.parts) + " is none; parts are counted from 0 to " +
                       std::to_string(flags.parts - 1));
  }
  only_with(command, "--parts", !flags.output.empty() || flags.dry_run, "-o PATH");
  only_with(command, "--parts", flags.layout == OutputLayout::shards, "--layout shards");
  if (flags.embed.initial_state == InitialState::carry) {
    throw RequestError(
        "--initial-state carry hands the state on from one sentence to the next, "
        "through the whole input: --parts cannot begin in the middle");
  }
  if (flags.model.model == kAutoModel) {
    throw RequestError(
        "--model auto looks at the beginning of the text, of which every part has another: name "
        "one model for all --parts");
  }
  flags.input.part = InputPart{flags.part, flags.parts};
  // A row stands for the whole of its document.
  flags.input.whole_documents = flags.pool.kind && flags.pool.unit == PoolUnit::document;
  if (flags.input.whole_documents && flags.input.format == InputFormat::jsonl) {
    throw RequestError(
        "--parts with --pool-by document: a record without an id is called by its "
        "line, which a part does not know; embed each file of jsonl as a whole");
  }
}

void add_output_flags(CLI::App* command, EmbedFlags& flags) {
  const std::string group = "Output";
  command
      ->add_option(
          "-o,--output", flags.output,
          "Folder for the shards, made where it is missing; with --layout allennlp the HDF5 "
          "file to write, with --average-words the file of vectors")
      ->type_name("PATH")
      ->group(group);
  add_choice(
      command, "--format", flags.format, kStreamFormats,
      "Instead of -o: to standard output, as a JSON object a sentence (document, sentence, line, "
      "tokens, spans, vectors), or a NumPy array a sentence, back to back. Refused on a terminal. "
      "The word2vec formats are those of the file that --average-words writes, which -o names")
      ->group(group);
  add_choice(command, "--layout", flags.layout, kOutputLayouts,
             "Form of the files. `shards`: HDF5 files with a row a token, published "
             "whole; `allennlp`: one "
             "HDF5 file with a dataset a sentence")
      ->group(group);
  add_dtype(
      command, "--dtype", flags.dtype,
      "Numbers in the output; int8 with a scale for each row. float32 with --layout allennlp, "
      "float32 or float16 with --format npy")
      ->group(group);
  add_compression(command, flags.compression, "Compression of the shards")->group(group);
  add_bytes(command, "--shard-size", flags.shard_bytes,
            "Activations in a shard, at most, in bytes before compression: `64M`, `1GiB`")
      ->group(group);
  command
      ->add_flag("--forget-sentences", flags.forget_sentences,
                 "Leave out sentence_to_index (layout allennlp)")
      ->group(group);
  command
      ->add_flag("--resume", flags.resume,
                 "Go on where the run in PATH was stopped; begin where there is none")
      ->group(group);
  command->add_flag("--overwrite", flags.overwrite, "Replace the run or the file that PATH holds")
      ->group(group);
}

void add_activation_flags(CLI::App* command, EmbedFlags& flags) {
  const std::string group = "Activations";
  EmbedOptions& embed = flags.embed;
  add_choice(command, "--layers", embed.layers, kLayerSelections,
             "Layers that are written. `all`: 2L+1 rows of P numbers a token (x, "
             "forward_1, backward_1, ...); "
             "the others: one row of 2P numbers")
      ->group(group);
  add_mixing_flags(command, embed, flags.mix, group);
  command
      ->add_flag("--boundaries", embed.boundaries,
                 "Keep the vectors of `<S>` and `</S>`, as tokens of the sentence")
      ->group(group);
  add_choice(
      command, "--initial-state", embed.initial_state, kInitialStates,
      "State that a sentence begins from: zero; `warm`, the state after a fixed text; `carry`, "
      "what "
      "the sentence --lanes before it left, as the reference implementations do")
      ->group(group);
  add_whole(command, "--lanes", embed.lanes, "N", 1, kMaxEmbedLanes,
            "Sentences that carry their states side by side (--initial-state carry)")
      ->group(group);
  add_whole(
      command, "--max-sentence-tokens", flags.max_sentence_tokens, "TOKENS", std::size_t{1},
      kMaxTokens,
      "Longer sentences are cut into pieces of so many tokens, each a sentence of its own; they "
      "are counted and reported")
      ->group(group);
}

void add_computing_flags(CLI::App* command, EmbedFlags& flags) {
  const std::string group = "Computing";
  EmbedOptions& embed = flags.embed;
  add_precision(command, flags.precision,
                "Numbers that are multiplied. `elmo info` lists what this CPU supports")
      ->group(group);
  add_threads(command, embed.threads)->group(group);
  add_workers(command, embed.workers)->group(group);
  add_memory(command, embed.memory_bytes)->group(group);
  add_whole(command, "--batch-tokens", embed.batch_tokens, "TOKENS", std::size_t{1}, kMaxTokens,
            "Tokens computed together, at most")
      ->default_str("from the model's size and --memory")
      ->group(group);
}

/// Reads the mixture of --mix into the options.
void take_task_mix(EmbedFlags& flags) {
  if (flags.mix.task.empty()) return;
  flags.task = read_task_mix(flags.mix);
  apply_mix(*flags.task, flags.embed);
}

/// RequestError for what the options together cannot mean.
void check_flags(const CLI::App& command, const EmbedFlags& flags) {
  const EmbedOptions& embed = flags.embed;
  const bool mix = embed.layers == LayerSelection::mix;
  only_with(command, "--mix-weights", mix, "--layers mix");
  only_with(command, "--mix", mix, "--layers mix");
  const bool learned = !flags.mix.task.empty();
  only_with(command, "--gamma", mix && !learned, "--layers mix, and without --mix");
  only_with(command, "--layer-norm", !learned, "a mixture that is not learned, without --mix");
  only_with(command, "--layer-norm", mix || embed.layers == LayerSelection::average,
            "--layers average or mix");
  only_with(command, "--lanes", embed.initial_state == InitialState::carry,
            "--initial-state carry");

  const bool folder = !flags.output.empty();
  for (const char* option : {"--layout", "--compression", "--shard-size", "--forget-sentences",
                             "--resume", "--overwrite"}) {
    only_with(command, option, folder || flags.dry_run, "-o PATH");
  }
  check_selection(command, flags);
  const bool averages = flags.averages.wanted;
  only_with(command, "--format", !folder || averages, "standard output, without -o");
  const bool shards = flags.layout == OutputLayout::shards && !averages;
  only_with(command, "--shard-size", shards, "--layout shards");
  only_with(command, "--resume", shards, "--layout shards");
  only_with(command, "--compression", shards, "--layout shards");
  only_with(command, "--dtype", shards, "--layout shards or --format");
  if (flags.format == StreamFormat::npy && !is_numpy(flags.dtype)) {
    throw RequestError("--dtype " + std::string(kDtypes.word(flags.dtype)) +
                       " with --format npy: " +
                       (flags.dtype == Dtype::int8 ? "an array has no place for the scales of int8"
                                                   : "NumPy has no bfloat16") +
                       "; choose float32 or float16, or shards (-o PATH)");
  }
  only_with(command, "--forget-sentences", !shards, "--layout allennlp");
  if (flags.resume && flags.overwrite) {
    throw RequestError("--resume goes on with what --overwrite would remove; give one of them");
  }
  for (const char* option : {"--price", "--json"})
    only_with(command, option, flags.dry_run, "--dry-run");
  check_workers(embed.threads, embed.workers);

  if (flags.dry_run || folder) return;
  if (!flags.format) {
    throw RequestError(
        "where to? Give -o PATH for files, or --format jsonl or npy for standard output");
  }
  refuse_terminal();
}

}  // namespace

void add_embed(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<EmbedFlags>();
  CLI::App* command =
      app.add_subcommand("embed", "Compute the activations of every token of a text");
  add_model_flags(command, flags->model);
  add_input_flags(command, flags->input);
  add_part_flags(command, *flags);
  add_selection_flags(command, flags->selection);
  add_activation_flags(command, *flags);
  add_pooling_flags(command, flags->pool, flags->averages);
  add_output_flags(command, *flags);
  add_computing_flags(command, *flags);
  command->add_flag(
      "--dry-run", flags->dry_run,
      "Compute a short sample only, and say what the whole run would take, by what is chosen: "
      "tokens, bytes and minutes");
  add_number(command, "--price", flags->price, "PER_HOUR", NumberRange{.least = 0},
             "What an hour of this machine costs: a dry run says what the whole run would")
      ->default_str("");
  command->add_flag("--json", flags->json, "Print what a dry run finds as JSON");
  command->add_flag("--quiet", flags->quiet, "Show errors only, no progress and no summary");
  command->footer(
      "L is the model's number of layers, P the width of its projection.\n"
      "Exit codes: 0 done, 1 failure, 2 usage, 3 bad input, 4 stopped by a signal and to be "
      "resumed "
      "with --resume.");
  command->callback([command, flags, &chosen] {
    flags->input.written = flags->output;
    check_input_flags(*command, flags->input);
    check_flags(*command, *flags);
    check_parts(*command, *flags);
    take_task_mix(*flags);
    const ModelFlags& model = flags->model;
    require_other_file(
        "-o", flags->output,
        {model.model, model.options, model.weights, model.vocabulary, flags->selection.words});
    flags->embed.pool = flags->pool.options();
    flags->selection.query = read_token_query(flags->selection);
    chosen = [flags] { return flags->dry_run ? run_dry(*flags) : run_embed(*flags); };
  });
}

}  // namespace elmo

#include "cli/common/option_groups.h"

#include "cli/common/options.h"
#include "core/model/options.h"
#include "core/text.h"
#include "io/engine/mix.h"
#include "io/model/model.h"
#include "io/text/formats/conllu_reader.h"

namespace elmo {

Option add_threads(const Options& app, int& threads) {
  return add_whole(app, "--threads", threads, "N", 1, kMaxThreads, "Number of compute threads")
      .default_str("one per core");
}

Option add_workers(const Options& app, int& workers) {
  return add_whole(app, "--workers", workers, "N", 1, kMaxThreads,
                   "Number of workers; two compute a batch, one per direction. With fewer than "
                   "threads, several threads divide a worker's sentences, and fewer batches are "
                   "in memory")
      .default_str("as many as --threads");
}

Option add_memory(const Options& app, std::uint64_t& bytes) {
  return add_bytes(app, "--memory", bytes,
                   "Memory limit besides the model, in bytes: `512M`, `4GiB`. Less memory means "
                   "smaller batches")
      .default_str("half of what the machine, its control group or ulimit -v allows");
}

Option add_seed(const Options& app, std::uint64_t& seed, const std::string& help) {
  return add_whole(app, "--seed", seed, "N", std::uint64_t{0}, ~std::uint64_t{0}, help);
}

void add_initial_state(const Options& app, InitialState& state, int& lanes) {
  add_choice(app, "--initial-state", state, kInitialStates,
             "Initial state of a sentence: `zero`; `warm`, after a fixed text; `carry`, the final "
             "state of the sentence N lanes earlier");
  add_whole(app, "--lanes", lanes, "N", 1, kMaxStateLanes,
            "Number of parallel state lanes (--initial-state carry)");
}

void add_input_flags(const Options& app, InputOptions& input, const TokenizerDefaults& defaults) {
  app.add_argument("FILE", input.files,
                   "Files and folders (recursive, sorted), or `-` for standard input (default). "
                   "gzip, zstd, xz and bzip2 are decompressed");
  add_reading_flags(app, input, defaults);
}

void add_reading_flags(const Options& command, InputOptions& input,
                       const TokenizerDefaults& defaults) {
  const Options app = command.in_group("Input");
  const std::string formats = joined(kFormatTraits, "; ", [](const FormatTraits& traits) {
    return '`' + std::string(kInputFormats.word(traits.format)) + "`, " + std::string(traits.help);
  });
  add_choice(app, "--input-format", input.format, kInputFormats, "Input format: " + formats);
  app.add_flag("--lines", input.lines, "Read each line as one sentence (text, jsonl)");
  add_tokenizer_flags(app, input.request, defaults);
  app.add_flag("--strict", input.strict, "Reject invalid UTF-8 instead of reading it as U+FFFD");
  app.add_option("--text-field", input.text_field, "NAME", "JSON field of the text (jsonl)")
      .default_str(input.text_field);
  app.add_option("--id-field", input.id_field, "NAME", "JSON field of the id (jsonl)")
      .default_str(input.id_field);
  app.add_flag("--skip-bad-records", input.skip_bad_records,
               "Skip and count malformed records (jsonl)");
  constexpr std::size_t kMaxColumn = 1000;
  add_whole(app, "--word-column", input.word_column, "N", std::size_t{1}, kMaxColumn,
            "Column of the tokens (vertical)");
}

void add_tokenizer_flags(const Options& app, TokenizerRequest& request,
                         const TokenizerDefaults& defaults) {
  app.add_option("--tokenizer", request.tokenizer, "NAME|FILE",
                 "Tokenizer of raw text: `ud`, words of Universal Dependencies; `moses`, tokens of "
                 "the Moses toolkit; `icu`, UAX #29; or a rule file")
      .default_str(defaults.tokenizer);
  app.add_option("--locale", request.locale, "LOCALE",
                 "Language of raw text, for the tokenizer, e.g. `de` or `pt-BR`")
      .default_str(defaults.locale);
  add_choice(app, "--contractions", request.contractions, kContractionModes,
             "Contractions of de, es, fr, it and pt in the tokens of `ud`: `expand` them (`du` to "
             "`de le`) or `keep` them")
      .default_str(defaults.contractions);
  add_choice(app, "--normalize", request.normalization, kNormalizations,
             "Form of Unicode in which the model reads tokens: `nfc`, composed letters; `nfkc`, "
             "also without ligatures, full-width letters and soft hyphens; or `none`")
      .default_str(defaults.normalization);
}

Option add_column(const Options& app, std::string& column) {
  const std::string columns = joined(ConlluColumns().labels(), ", ",
                                     [](const std::string& name) { return '`' + name + '`'; });
  return app
      .add_option("--column", column, "NAME",
                  "Column of CoNLL-U that holds the labels, by name or number: " + columns +
                      ", or one that CoNLL-U Plus names")
      .default_str(column);
}

void add_model_flags(const Options& command, ModelSpec& request) {
  const Options app = command.in_group("Model");
  const Option model =
      app.add_option("--model", request.model, "PATH",
                     "Model folder, zip archive or installed model; `auto` (embed only) selects an "
                     "installed one by script")
          .default_str(kDefaultModel);
  const Option options = app.add_option("--options", request.options, "FILE",
                                        "Options file to use with --weights instead of --model")
                             .excludes(model);
  const Option weights =
      app.add_option("--weights", request.weights, "FILE",
                     "Weights to use with --options instead of --model: HDF5, or "
                     "the `.index` of a checkpoint of TensorFlow")
          .excludes(model);
  options.needs(weights);
  weights.needs(options);
  app.add_option("--vocab", request.vocabulary, "FILE",
                 "Input words of a model without characters, one per line")
      .default_str("the model's vocab.txt");
}

void add_predicting_model(const Options& app, std::string& model) {
  app.in_group("Model")
      .add_option("--model", model, "PATH",
                  "Model with softmax, as written by train: a folder, a zip archive or an "
                  "installed model")
      .default_str(kDefaultModel);
}

Option add_compression(const Options& app, h5::Compression& compression, const std::string& help) {
  return add_choice(app, "--compression", compression, h5::kCompressions,
                    help + ", after a byte shuffle; zstd requires its HDF5 filter");
}

Option add_output_format(const Options& app, const std::string& name, std::string& format,
                         bool (*holds)(const OutputFormat& format), const std::string& help) {
  std::vector<std::string> names;
  std::vector<std::string> meanings;
  for (const OutputFormat& one : output_formats()) {
    if (!holds(one)) continue;
    names.emplace_back(one.name);
    meanings.push_back('`' + names.back() + "`, " + std::string(one.help));
  }
  return add_word(app, name, format, names, help + ": " + joined(meanings, "; "));
}

Option add_preset(const Options& app, std::string& preset, const std::string& help) {
  const auto names = preset_names();
  return add_word(app, "--preset", preset, {names.begin(), names.end()}, help);
}

void add_architecture_flags(const Options& app, ArchitectureSpec& spec) {
  const Option preset = add_preset(app, spec.preset,
                                   "Architecture: `tiny`, or the published `small`, `medium` "
                                   "or `original`");
  app.add_option("--options", spec.options, "FILE",
                 "Architecture from an `options.json`, instead of --preset")
      .excludes(preset);
}

Option add_task_mix_flags(const Options& app, const std::string& name, TaskMixRequest& request) {
  const Option task = app.add_option(name, request.task, "DIR",
                                     "Task model whose layer weights, gamma and layer "
                                     "normalization to use");
  add_word(app, "--place", request.place, {"input", "output"},
           "Mix to use if the task model has two")
      .default_str("the only one")
      .needs(task);
  return task;
}

void add_mixing_flags(const Options& app, EmbedOptions& options, TaskMixRequest& request) {
  const Option weights = add_numbers(app, "--mix-weights", options.mix_weights, "W0,...,WL",
                                     "Layer weights before the softmax, token layer first")
                             .default_str("equal");
  add_task_mix_flags(app, "--mix", request).excludes(weights);
  add_number(app, "--gamma", options.gamma, "G", NumberRange{}, "Factor gamma of the mix");
  app.add_flag(
      "--layer-norm", options.layer_norm,
      "Normalize each layer over the sentence, without boundaries, before averaging or mixing");
}

void add_feature_flags(const Options& app, FeatureOptions& features, bool& quiet,
                       const std::string& without) {
  add_model_flags(app, features.model);
  Options activations = app.in_group("Activations");
  activations
      .add_option("--features", features.folder, "DIR",
                  "Folder of cached activations, with a run for each labeled file; missing runs "
                  "are computed and kept")
      .default_str(without);
  add_choice(activations, "--features-dtype", features.dtype, kDtypes, "Type of stored activations")
      .default_str("that of the activations in the folder, else float16");
  add_choice(activations, "--precision", features.precision, kPrecisions,
             "Precision of the biLM's arithmetic (products)")
      .default_str("that of the activations in the folder, else float32");
  add_threads(app.in_group("Computing"), features.threads);
  app.add_flag("--quiet", quiet, "Print only errors and results");
}

}  // namespace elmo

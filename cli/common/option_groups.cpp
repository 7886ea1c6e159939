#include "cli/common/option_groups.h"

#include <optional>

#include "cli/common/model_request.h"
#include "cli/common/options.h"
#include "core/error.h"
#include "core/model/options.h"
#include "io/files/paths.h"
#include "io/model/model.h"

namespace elmo {
namespace {

constexpr int kMaxThreads = 1024;  // more than any machine has

}  // namespace

Option add_precision(Options app, Precision& precision, const std::string& help) {
  return add_choice(app, "--precision", precision, kPrecisions, help);
}

Option add_precision(Options app, std::optional<Precision>& precision, const std::string& help) {
  return add_choice(app, "--precision", precision, kPrecisions, help);
}

Option add_threads(Options app, int& threads) {
  return add_whole(app, "--threads", threads, "N", 1, kMaxThreads, "Number of compute threads")
      ->default_str("one per core");
}

Option add_workers(Options app, int& workers) {
  return add_whole(app, "--workers", workers, "N", 1, kMaxThreads,
                   "Jobs computed at once; they share the threads")
      ->default_str("as many as --threads");
}

Option add_memory(Options app, std::uint64_t& bytes) {
  return add_bytes(app, "--memory", bytes,
                   "Memory limit besides the model, in bytes: `512M`, `4GiB`. Less memory means "
                   "smaller batches")
      ->default_str("half of what the machine, its control group or ulimit -v allows");
}

void add_initial_state(Options app, InitialState& state, int& lanes, const std::string& group) {
  constexpr int kMostLanes = 65536;  // more than any machine can use
  add_choice(app, "--initial-state", state, kInitialStates,
             "Initial state of a sentence: `zero`; `warm`, after a fixed text; `carry`, the final "
             "state of the sentence N lanes earlier")
      ->group(group);
  add_whole(app, "--lanes", lanes, "N", 1, kMostLanes,
            "Number of parallel state lanes (--initial-state carry)")
      ->group(group);
}

void check_initial_state(const Options& app, InitialState state) {
  only_with(app, "--lanes", state == InitialState::carry, "--initial-state carry");
}

void check_workers(int threads, int workers) {
  if (threads > 0 && workers > threads) {
    throw RequestError("--workers: found " + std::to_string(workers) + ", expected at most the " +
                       std::to_string(threads) + " of --threads");
  }
}

void add_input_flags(Options app, InputOptions& input) {
  app->add_option("FILE", input.files,
                  "Files and folders (recursive, sorted), or `-` for standard input (default). "
                  "gzip, zstd, xz and bzip2 are decompressed");
  add_reading_flags(app, input);
}

void add_reading_flags(Options app, InputOptions& input) {
  const std::string group = "Input";
  add_choice(
      app, "--input-format", input.format, kInputFormats,
      "Input format: `text`, raw UTF-8; `tokens`, one tokenized sentence per line; `jsonl`, one "
      "JSON record per line; `conllu`, CoNLL-U")
      ->group(group);
  app->add_flag("--lines", input.lines, "Read each line as one sentence (text, jsonl)")
      ->group(group);
  add_tokenizer_flags(app, input.request, group);
  app->add_flag("--strict", input.strict, "Reject invalid UTF-8 instead of reading it as U+FFFD")
      ->group(group);
  app->add_option("--text-field", input.text_field, "JSON field of the text (jsonl)")
      ->type_name("NAME")
      ->default_str(input.text_field)
      ->group(group);
  app->add_option("--id-field", input.id_field, "JSON field of the id (jsonl)")
      ->type_name("NAME")
      ->default_str(input.id_field)
      ->group(group);
  app->add_flag("--skip-bad-records", input.skip_bad_records,
                "Skip and count malformed records (jsonl)")
      ->group(group);
}

void add_tokenizer_flags(Options app, TokenizerRequest& request, const std::string& group) {
  app->add_option(
         "--tokenizer", request.tokenizer,
         "Tokenizer of raw text: `ud`, words of Universal Dependencies; `moses`, tokens of "
         "the Moses toolkit; `icu`, UAX #29; or a rule file")
      ->type_name("NAME|FILE")
      ->default_str("the model's")
      ->group(group);
  app->add_option("--locale", request.locale,
                  "Language of raw text, for the tokenizer, e.g. `de` or `pt-BR`")
      ->type_name("LOCALE")
      ->default_str("the model's, otherwise root")
      ->group(group);
}

void check_input_flags(const Options& app, const InputOptions& input) {
  check_input_flags(app.given(), input);
}

void check_input_flags(const GivenOptions& given, const InputOptions& input) {
  const bool records = input.format == InputFormat::jsonl;
  const bool segmented = records || input.format == InputFormat::text;
  check_rules(given, {{"--lines", segmented, "--input-format text or jsonl"},
                      {"--tokenizer", segmented, "--input-format text or jsonl"},
                      {"--locale", segmented, "--input-format text or jsonl"},
                      {"--text-field", records, "--input-format jsonl"},
                      {"--id-field", records, "--input-format jsonl"},
                      {"--skip-bad-records", records, "--input-format jsonl"}});
}

Option add_column(Options app, std::string& column) {
  std::string columns;
  for (const std::string& name : conllu_label_columns()) {
    columns += (columns.empty() ? "`" : ", `") + name + '`';
  }
  return app
      ->add_option("--column", column,
                   "Column of CoNLL-U that holds the labels, by name or number: " + columns +
                       ", or one that CoNLL-U Plus names")
      ->type_name("NAME")
      ->default_str(column);
}

void add_labeled_flags(Options app, LabeledFlags& flags) {
  const std::string group = "Labeled files";
  add_column(app, flags.column)->group(group);
  add_choice(
      app, "--format", flags.format, kLabeledFormats,
      "Format of labeled files: `columns`, token TAB label; `conllu`; `jsonl`, with `tokens` and "
      "`labels`")
      ->default_str("detected by name and content")
      ->group(group);
}

void add_model_flags(Options app, ModelRequest& request) {
  const std::string group = "Model";
  Option model = app->add_option(
      "--model", request.model,
      "Model folder, zip archive or installed model; `auto` (embed only) selects an installed one "
      "by script");
  model->type_name("PATH")->default_str(kDefaultModel)->group(group);
  Option options = app->add_option("--options", request.options,
                                   "Options file to use with --weights instead of --model");
  options->type_name("FILE")->group(group)->excludes(model);
  Option weights = app->add_option("--weights", request.weights,
                                   "HDF5 weights to use with --options instead of --model");
  weights->type_name("FILE")->group(group)->excludes(model);
  options->needs(weights);
  weights->needs(options);
  app->add_option("--vocab", request.vocabulary,
                  "Input words of a model without characters, one per line")
      ->type_name("FILE")
      ->default_str("the model's vocab.txt")
      ->group(group);
}

namespace fs = std::filesystem;

Option add_dtype(Options app, const std::string& name, Dtype& dtype, const std::string& help) {
  return add_choice(app, name, dtype, kDtypes, help);
}

Option add_dtype(Options app, const std::string& name, std::optional<Dtype>& dtype,
                 const std::string& help) {
  return add_choice(app, name, dtype, kDtypes, help);
}

Option add_compression(Options app, h5::Compression& compression, const std::string& help) {
  return add_choice(app, "--compression", compression, h5::kCompressions,
                    help + ", after a byte shuffle; zstd requires its HDF5 filter");
}

void require_other_file(const std::string& option, const std::string& output,
                        const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (!is_file(output) || !is_there(input) || !fs::equivalent(output, input)) continue;
    throw RequestError(option + ": " + output + " is one of the files that are read; choose " +
                       "another name");
  }
}

std::vector<std::string> files_of(const ModelLocation& location) {
  std::vector<std::string> files;
  const auto add = [&files](const std::optional<fs::path>& file) {
    if (file) files.push_back(file->string());
  };
  if (location.archive) return {location.archive->string()};
  for (const auto& file :
       {std::optional(location.options), std::optional(location.weights), location.vocabulary,
        location.softmax, location.softmax_vocabulary, location.tokenizer, location.language}) {
    add(file);
  }
  if (const std::optional<ManyLangsFiles>& many = location.many_langs) {
    for (const auto& file : {std::optional(many->encoder), std::optional(many->token_embedder),
                             many->config, many->words, many->characters}) {
      add(file);
    }
  }
  return files;
}

void require_other_folder(const std::string& output, const fs::path& input) {
  if (is_there(output) && is_there(input) && fs::equivalent(output, input)) {
    throw RequestError("-o: " + output + " is the folder that is read; choose another one");
  }
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  if (!is_there(folder)) return false;
  const fs::path top = fs::canonical(folder);
  for (fs::path above = fs::weakly_canonical(fs::absolute(path));; above = above.parent_path()) {
    if (above == top) return true;
    if (!above.has_relative_path()) return false;
  }
}

namespace {

std::string names_of_presets() {
  std::string names;
  for (const std::string_view name : preset_names()) {
    if (!names.empty()) names += '|';
    names += name;
  }
  return names;
}

}  // namespace

Option add_preset(Options app, std::string& preset, const std::string& help) {
  const auto names = preset_names();
  return add_word(app, "--preset", preset, {names.begin(), names.end()}, help);
}

void add_preset_flags(Options app, PresetFlags& flags) {
  Option preset_option = add_preset(app, flags.preset,
                                    "Architecture: `tiny`, or the published `small`, `medium` "
                                    "or `original`");
  app->add_option("--options", flags.options,
                  "Architecture from an `options.json`, instead of --preset")
      ->type_name("FILE")
      ->excludes(preset_option);
}

void check_preset_flags(const PresetFlags& flags) {
  if (flags.preset.empty() && flags.options.empty()) {
    throw RequestError("no architecture given: use --preset " + names_of_presets() +
                       " or --options FILE");
  }
}

ModelOptions model_options(const PresetFlags& flags) {
  if (flags.options.empty()) return *preset(flags.preset);
  return read_options(flags.options).options;
}

}  // namespace elmo

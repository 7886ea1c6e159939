#include "cli/info/report.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <variant>

#include "cli/common/reporter.h"
#include "core/error.h"
#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "core/model/options.h"
#include "core/text.h"
#include "core/version.h"
#include "io/engine/model.h"
#include "io/engine/model_check.h"
#include "io/engine/run_settings.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/foreign_content.h"
#include "io/h5/reader.h"
#include "io/json/json_document.h"
#include "io/model/model.h"
#include "io/model/options.h"
#include "io/model/tokenizer.h"
#include "io/shard/format.h"
#include "io/shard/manifest.h"
#include "io/shard/shard_reader.h"
#include "io/tasks/task_folder.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> supported_precisions() {
  std::vector<std::string> names;
  for (const auto& [word, precision] : kPrecisions) {
    if (is_supported(precision)) names.emplace_back(word);
  }
  return names;
}

std::string clip_text(const std::optional<float>& clip) {
  return clip ? Json(std::stod(number_text(*clip))).dump() : "none";
}

/// Describes the tokens that a model was trained on, and the rules that make them here.
std::string trained_text(const std::optional<TokenizerDescription>& tokenizer) {
  if (!tokenizer) return "tokens of unknown kind";
  const int current = rules_revisions(tokenizer->name).current;
  const std::string text = to_string(*tokenizer);
  return current == tokenizer->revision ? text : text + " (" + std::to_string(current) + " here)";
}

Json tokenizer_json(const std::optional<TokenizerDescription>& tokenizer) {
  return tokenizer ? parse_json(tokenizer_text(*tokenizer)) : Json(nullptr);
}

Json language_json(const std::optional<LanguageDescription>& language) {
  if (!language) return nullptr;
  return {{"language", language->language}, {"scripts", language->scripts}};
}

/// The files and folders that `info` can describe, for messages.
constexpr std::string_view kDescribed =
    "a shard, an index, a folder that embed has written, or a model's folder or zip archive";

std::string characters_text(const CharCnnOptions& cnn) {
  const std::string characters =
      cnn.dictionary_size == 0
          ? " bytes: "
          : " characters, of " +
                human_count(static_cast<std::uint64_t>(cnn.dictionary_size), "character") +
                " known: ";
  return "from up to " + std::to_string(cnn.max_characters_per_token - 2) + characters +
         human_count(cnn.filters.size(), "filter width") + ", " +
         std::to_string(cnn.filter_count()) + " filters, " +
         human_count(static_cast<std::uint64_t>(cnn.n_highway), "highway layer");
}

/// Describes the parts that a model's tokens consist of.
std::string tokens_text(const ModelOptions& options, bool words_are_known) {
  if (!options.has_words()) return characters_text(*options.char_cnn);
  std::string text =
      "a table of " + human_count(static_cast<std::uint64_t>(options.n_tokens_vocab), "word");
  if (!words_are_known) text += "; its vocabulary is not here";
  if (options.char_cnn) text += ", and " + characters_text(*options.char_cnn);
  return text;
}

/// Describes this tool and this CPU.
Description describe_tool() {
  Description tool;
  const std::vector<std::string> precisions = supported_precisions();
  tool.member("kind", "tool");
  tool.fact("version", std::string(version()));
  tool.fact("precisions", joined(precisions, ", ") + " on this CPU", "precisions", precisions);
  const std::optional<fs::path> model = installed_model(kDefaultModel);
  tool.fact("default model", model ? model->string() : "not installed", "default_model",
            model ? Json(model->string()) : Json(nullptr));
  Json installed = Json::array();
  for (const InstalledModel& found : installed_models()) {
    tool.line("installed", found.name + (found.language ? ", " + to_string(*found.language) : ""));
    installed.push_back({{"name", found.name},
                         {"path", found.folder.string()},
                         {"language", language_json(found.language)}});
  }
  tool.member("installed_models", installed);
  return tool;
}

void add_check(const ModelCheck& check, const std::string& path, Description& model) {
  model.line("weights", "shapes as the options say, all numbers finite");  // else not loaded
  Json layers = Json::object();
  for (const LayerRange& range : check.layers) {
    model.line("range " + range.layer,
               human_number(range.least, 4) + " to " + human_number(range.greatest, 4) +
                   ", deviation between tokens " + human_number(range.deviation, 3));
    layers[range.layer] = {
        {"minimum", range.least}, {"maximum", range.greatest}, {"deviation", range.deviation}};
  }
  Json perplexity(nullptr);
  if (check.perplexity) {
    const PerplexityResult& result = *check.perplexity;
    model.line("perplexity", human_number(result.perplexity().average, 4) +
                                 " of the built-in text, " + human_count(result.tokens, "token") +
                                 ", " + human_count(result.unknown) + " of them unknown");
    perplexity = {{"average", result.perplexity().average},
                  {"predictions", result.predictions()},
                  {"tokens", result.tokens},
                  {"unknown_tokens", result.unknown},
                  {"vocabulary", check.vocabulary}};
  }
  model.line("check", check.problems.empty() ? "passed" : "FAILED");
  model.member("check", {{"passed", check.problems.empty()},
                         {"problems", check.problems},
                         {"layers", layers},
                         {"perplexity", perplexity}});
  for (const std::string& problem : check.problems) model.problem(path + ": " + problem);
}

/// Adds the LSTMs, their activations, and the cost of computing them.
void add_lstms(const ModelOptions& options, Description& model) {
  const LstmOptions& lstm = options.lstm;
  const auto rows = static_cast<std::uint64_t>(options.activation_rows());
  const auto width = static_cast<std::uint64_t>(lstm.projection_dim);
  model.line("LSTMs", human_count(static_cast<std::uint64_t>(lstm.n_layers), "layer") +
                          " in each direction, " + std::to_string(lstm.dim) + " cells, " +
                          std::to_string(lstm.projection_dim) + " outputs" +
                          (lstm.use_skip_connections ? ", skip connections" : ""));
  model.line("clips",
             "cell " + clip_text(lstm.cell_clip) + ", output " + clip_text(lstm.proj_clip));
  model.fact("activations",
             std::to_string(rows) + " rows of " + std::to_string(width) + " a token, " +
                 human_bytes(rows * width * sizeof(float)) + " in float32",
             "activation_rows", rows);
  model.member("activation_width", width);
  model.fact("cost",
             formatted("%.1f MFLOP a token, %.1f MFLOP a distinct token",
                       lstm_flop_per_token(options) / 1e6, encoder_flop_per_token(options) / 1e6),
             "lstm_flop_per_token", lstm_flop_per_token(options));
  model.member("encoder_flop_per_token", encoder_flop_per_token(options));
}

/// Describes the model in the folder or zip archive `path`, and checks it on request. Errors: as
/// inspect_model.
Description describe_model(const std::string& path, bool check) {
  InspectedModel found = inspect_model(path, check);
  const ModelLocation& location = found.location;
  LoadedModel& loaded = found.loaded;
  const ModelOptions& options = loaded.options;
  const std::uint64_t bytes = found.parameters * sizeof(float);
  const std::vector<std::string> precisions = supported_precisions();

  Description model;
  model.member("kind", "model");
  model.fact("model", path, "path", path);
  if (location.many_langs) model.line("family", "ELMoForManyLangs");
  model.member("family", location.many_langs ? "ELMoForManyLangs" : "published");
  model.member("options", parse_json(options_description(options)));
  model.fact("parameters",
             human_count(found.parameters) + " (" + human_bytes(bytes) + " in float32)",
             "parameters", found.parameters);
  model.member("bytes", bytes);
  model.line("tokens", tokens_text(options, found.has_words));
  add_lstms(options, model);
  const bool has_softmax = location.softmax.has_value();
  model.fact("softmax", has_softmax ? "present, for perplexity and finetune" : "none", "softmax",
             has_softmax);
  model.fact("trained on", trained_text(loaded.tokenizer), "tokenizer",
             tokenizer_json(loaded.tokenizer));
  model.member("current_rules", loaded.tokenizer
                                    ? Json(rules_revisions(loaded.tokenizer->name).current)
                                    : Json(nullptr));
  if (loaded.language) model.line("language", to_string(*loaded.language));
  model.member("language", language_json(loaded.language));
  model.fact("fingerprint", loaded.fingerprint);
  if (location.many_langs && loaded.language && has_contractions(loaded.language->language) &&
      !(loaded.tokenizer && loaded.tokenizer->contractions == ContractionMode::expand)) {
    loaded.remarks.push_back(
        "trained on expanded contractions: read text with --contractions expand");
  }
  for (const std::string& remark : loaded.remarks) model.line("remark", remark);
  model.member("remarks", loaded.remarks);
  model.fact("precisions", joined(precisions, ", ") + " on this CPU", "precisions", precisions);
  if (found.check) add_check(*found.check, path, model);
  return model;
}

/// Describes the trained task model in the folder `path`.
Description describe_task(const std::string& path, const TaskDescription& task) {
  Json settings = parse_json(description_text(task));
  Description description;
  description.member("kind", "task");
  description.fact("task model", path, "path", path);
  for (const auto& [name, value] : std::get<Json::Object>(settings.value())) {
    const auto* text = std::get_if<std::string>(&value.value());
    description.line(name, text != nullptr ? *text : value.dump());
  }
  description.member("task", std::move(settings));
  return description;
}

/// Returns the problem of the first file whose size differs from the manifest's; empty if all
/// agree.
std::string size_problem(const fs::path& folder, const Manifest& manifest) {
  try {
    for (const ShardEntry& shard : manifest.shards) require_sizes(folder, shard);
    if (manifest.index) require_size(folder / manifest.index->file, *manifest.index);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Description describe_run(const std::string& path, const Manifest& manifest) {
  const std::string problem = size_problem(path, manifest);
  const bool complete = manifest.complete() && problem.empty();
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t bytes = 0;
  Json files = Json::array();
  for (const ShardEntry& shard : manifest.shards) {
    sentences += shard.sentences;
    tokens += shard.tokens;
    bytes += shard.stored_bytes();
    files.push_back({{"file", shard.file},
                     {"bytes", shard.bytes},
                     {"checksum", shard.checksum},
                     {"first_sentence", shard.first_sentence},
                     {"sentences", shard.sentences},
                     {"tokens", shard.tokens}});
  }

  Description run;
  run.member("kind", "run");
  run.fact("run", path, "path", path);
  run.fact("complete",
           complete          ? "yes"
           : problem.empty() ? "no; " + text_of(continued_by(manifest))
                             : "no; " + problem,
           "complete", complete);
  run.member("problem", problem.empty() ? Json(nullptr) : Json(problem));
  if (!manifest.parts.empty()) run.line("parts", human_count(manifest.parts.size()));
  run.fact("shards", human_count(manifest.shards.size()) + ", " + human_bytes(bytes), "bytes",
           bytes);
  run.fact("sentences", human_count(sentences), "sentences", sentences);
  run.fact("tokens", human_count(tokens), "tokens", tokens);
  run.fact("layers", joined(manifest.layout.rows, ", "), "layers", manifest.layout.rows);
  run.fact("width", std::to_string(manifest.layout.width), "width", manifest.layout.width);
  run.member("dtype", kDtypes.word(manifest.dtype));
  Json fingerprint = Json::object();
  for (const auto& [name, value] : manifest.provenance) {
    run.line(name, value);
    fingerprint[name] = value;
  }
  run.member("fingerprint", fingerprint);
  run.member("parts", manifest.parts.size());
  run.member("shards", files);
  return run;
}

Description describe_shard_file(const std::string& path, const ShardDescription& shard) {
  Description description;
  description.member("kind", shard.format.substr(shard.format.find(' ') + 1));
  description.fact(shard.format, path, "path", path);
  description.fact("bytes", human_count(shard.bytes), "bytes", shard.bytes);
  Json attributes = Json::object();
  for (const auto& [name, value] : shard.attributes) {
    description.line(name, value);
    attributes[name] = value;
  }
  Json datasets = Json::object();
  for (const auto& [name, dataset] : shard.datasets) {
    description.line("/" + name, dataset.type + " " + h5::shape_text(dataset.shape) + ", " +
                                     dataset.layout +
                                     (dataset.filters.empty() ? "" : ", " + dataset.filters) +
                                     ", " + human_bytes(dataset.storage_bytes));
    datasets[name] = {{"type", dataset.type},
                      {"shape", dataset.shape},
                      {"layout", dataset.layout},
                      {"filters", dataset.filters},
                      {"storage_bytes", dataset.storage_bytes}};
  }
  description.member("attributes", attributes);
  description.member("datasets", datasets);
  return description;
}

}  // namespace

std::string Description::text() const {
  std::size_t width = 0;
  for (const auto& line : lines_) width = std::max(width, line.first.size());
  std::string text;
  for (const auto& [name, value] : lines_) {
    text.append(name).append(width + 2 - name.size(), ' ').append(value).append("\n");
  }
  return printable_text(text);  // names and values come from files
}

std::string Description::json() const { return json_document(json_); }

Description describe(const std::string& name, bool check) {
  const auto require_no_check = [&](const std::string& found) {
    if (check) throw RequestError("--check: found " + found + "; expected a model");
  };
  if (name.empty()) {
    require_no_check("no path");
    return describe_tool();
  }
  const std::string path = model_path(name).string();
  if (!is_there(path)) {
    throw InputError(path + ": no such file, folder or installed model; check the name");
  }
  if (is_folder(path)) {
    // Parts of a run without a manifest are an error that says how to merge them.
    const auto manifest =
        part_in(path) ? std::optional(require_manifest(path)) : read_manifest(path);
    if (manifest) {
      require_no_check("a run");
      return describe_run(path, *manifest);
    }
    if (holds_task(path)) {
      require_no_check("a task model");
      return describe_task(path, read_task_description(path));
    }
    return describe_model(path, check);
  }
  if (read_head(path, 2) == "PK") return describe_model(path, check);
  require_no_check("a file");
  if (!h5::is_hdf5(path)) {
    const std::string found = foreign_content(read_head(path, kForeignHeadBytes));
    throw InputError(path + (found.empty() ? ": neither HDF5 nor zip" : found) + "; expected " +
                     std::string(kDescribed));
  }
  if (const auto shard = describe_shard(path)) return describe_shard_file(path, *shard);
  throw InputError(path + ": an HDF5 file, but no shard; expected " + std::string(kDescribed));
}

}  // namespace elmo

#include "cli/info/report.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "cli/common/human.h"
#include "cli/common/reporter.h"
#include "cli/common/run_fingerprint.h"
#include "cli/common/run_settings.h"
#include "core/error.h"
#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "core/model/options.h"
#include "core/version.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/model/model.h"
#include "io/model/options.h"
#include "io/model/tokenizer.h"
#include "io/shard/format.h"

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

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string clip_text(const std::optional<float>& clip) {
  return clip ? Json(std::stod(number_text(*clip))).dump() : "none";
}

Json tokenizer_json(const std::optional<TokenizerDescription>& tokenizer) {
  return tokenizer ? parse_json(tokenizer_text(*tokenizer)) : Json(nullptr);
}

Json language_json(const std::optional<LanguageDescription>& language) {
  if (!language) return nullptr;
  return {{"language", language->language}, {"scripts", language->scripts}};
}

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

/// Returns what the tokens of a model are made of.
std::string tokens_text(const ModelOptions& options, const Lexicon& lexicon) {
  if (!options.has_words()) return characters_text(*options.char_cnn);
  std::string text =
      "a table of " + human_count(static_cast<std::uint64_t>(options.n_tokens_vocab), "word");
  if (!lexicon.words) text += "; its vocabulary is not here";
  if (options.char_cnn) text += ", and " + characters_text(*options.char_cnn);
  return text;
}

}  // namespace

std::string Description::text() const {
  std::size_t width = 0;
  for (const auto& line : lines) width = std::max(width, line.first.size());
  std::string text;
  for (const auto& [name, value] : lines) {
    text.append(name).append(width + 2 - name.size(), ' ').append(value).append("\n");
  }
  return text;
}

Description describe_tool() {
  Description description;
  description.line("version", std::string(version()));
  description.line("precisions", join(supported_precisions()) + " on this CPU");
  const std::optional<fs::path> model = installed_model(kDefaultModel);
  description.line("default model", model ? model->string() : "not installed");
  Json installed = Json::array();
  for (const InstalledModel& found : installed_models()) {
    description.line("installed",
                     found.name + (found.language ? ", " + to_string(*found.language) : ""));
    installed.push_back({{"name", found.name},
                         {"path", found.folder.string()},
                         {"language", language_json(found.language)}});
  }
  description.json =
      json_document({{"kind", "tool"},
                     {"version", version()},
                     {"precisions", supported_precisions()},
                     {"default_model", model ? Json(model->string()) : Json(nullptr)},
                     {"installed_models", installed}});
  return description;
}

Description describe_model(const std::string& path) {
  const ModelLocation location = locate_model(fs::path(path));
  const LoadedModel model = load_model(location);
  const std::uint64_t parameters = model.parameters.count();
  const std::uint64_t bytes = parameters * sizeof(float);
  const LstmOptions& lstm = model.options.lstm;
  const auto rows = static_cast<std::uint64_t>(model.options.activation_rows());
  const auto width = static_cast<std::uint64_t>(lstm.projection_dim);

  Description description;
  description.line("model", path);
  if (location.many_langs) description.line("family", "ELMoForManyLangs");
  description.line("parameters",
                   human_count(parameters) + " (" + human_bytes(bytes) + " in float32)");
  description.line("tokens", tokens_text(model.options, model.lexicon));
  description.line("LSTMs", human_count(static_cast<std::uint64_t>(lstm.n_layers), "layer") +
                                " in each direction, " + std::to_string(lstm.dim) + " cells, " +
                                std::to_string(lstm.projection_dim) + " outputs" +
                                (lstm.use_skip_connections ? ", skip connections" : ""));
  description.line("clips",
                   "cell " + clip_text(lstm.cell_clip) + ", output " + clip_text(lstm.proj_clip));
  description.line("activations", std::to_string(rows) + " rows of " + std::to_string(width) +
                                      " a token, " + human_bytes(rows * width * sizeof(float)) +
                                      " in float32");
  description.line("cost", formatted("%.1f MFLOP a token, %.1f MFLOP a distinct token",
                                     lstm_flop_per_token(model.options) / 1e6,
                                     encoder_flop_per_token(model.options) / 1e6));
  const bool has_softmax = location.softmax.has_value();
  description.line("softmax",
                   has_softmax ? "here, so that it can be trained on and measured" : "none");
  description.line("trained on",
                   model.tokenizer ? to_string(*model.tokenizer) : "tokens of unknown kind");
  if (model.language) description.line("language", to_string(*model.language));
  description.line("fingerprint", model.fingerprint);
  for (const std::string& remark : model.remarks) description.line("remark", remark);
  description.line("precisions", join(supported_precisions()) + " on this CPU");

  description.json =
      json_document({{"kind", "model"},
                     {"path", path},
                     {"family", location.many_langs ? "ELMoForManyLangs" : "published"},
                     {"options", parse_json(options_description(model.options))},
                     {"parameters", parameters},
                     {"bytes", bytes},
                     {"activation_rows", rows},
                     {"activation_width", width},
                     {"lstm_flop_per_token", lstm_flop_per_token(model.options)},
                     {"encoder_flop_per_token", encoder_flop_per_token(model.options)},
                     {"softmax", has_softmax},
                     {"tokenizer", tokenizer_json(model.tokenizer)},
                     {"language", language_json(model.language)},
                     {"fingerprint", model.fingerprint},
                     {"remarks", model.remarks},
                     {"precisions", supported_precisions()}});
  return description;
}

Description describe_task(const std::string& path, const TaskDescription& task) {
  const Json settings = parse_json(description_text(task));
  Description description;
  description.line("task model", path);
  for (const auto& [name, value] : std::get<Json::Object>(settings.value())) {
    const auto* text = std::get_if<std::string>(&value.value());
    description.line(name, text != nullptr ? *text : value.dump());
  }
  description.json = json_document({{"kind", "task"}, {"path", path}, {"task", settings}});
  return description;
}

/// Returns the problem of the first file whose size differs from that in the manifest; empty if all
/// agree.
std::string size_problem(const fs::path& folder, const Manifest& manifest) {
  try {
    for (const ShardEntry& shard : manifest.shards) require_size(folder / shard.file, shard);
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
    bytes += shard.bytes;
    files.push_back({{"file", shard.file},
                     {"bytes", shard.bytes},
                     {"checksum", shard.checksum},
                     {"first_sentence", shard.first_sentence},
                     {"sentences", shard.sentences},
                     {"tokens", shard.tokens}});
  }

  Description description;
  description.line("run", path);
  description.line("complete", complete ? "yes"
                               : problem.empty()
                                   ? "no; " + command_of(manifest) + " --resume continues it"
                                   : "no; " + problem);
  if (!manifest.parts.empty()) description.line("parts", human_count(manifest.parts.size()));
  description.line("shards", human_count(manifest.shards.size()) + ", " + human_bytes(bytes));
  description.line("sentences", human_count(sentences));
  description.line("tokens", human_count(tokens));
  description.line("layers", join(manifest.layout.rows));
  description.line("width", std::to_string(manifest.layout.width));
  for (const auto& [name, value] : manifest.provenance) description.line(name, value);

  Json fingerprint = Json::object();
  for (const auto& [name, value] : manifest.provenance) fingerprint[name] = value;
  description.json = json_document({{"kind", "run"},
                                    {"path", path},
                                    {"complete", complete},
                                    {"problem", problem.empty() ? Json(nullptr) : Json(problem)},
                                    {"bytes", bytes},
                                    {"sentences", sentences},
                                    {"tokens", tokens},
                                    {"layers", manifest.layout.rows},
                                    {"width", manifest.layout.width},
                                    {"dtype", kDtypes.word(manifest.dtype)},
                                    {"fingerprint", fingerprint},
                                    {"parts", manifest.parts.size()},
                                    {"shards", files}});
  return description;
}

Description describe_shard_file(const std::string& path, const ShardDescription& shard) {
  Description description;
  description.line(shard.format, path);
  description.line("bytes", human_count(shard.bytes));
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
  description.json =
      json_document({{"kind", shard.format == shard_format::kIndexFormat ? "index" : "shard"},
                     {"path", path},
                     {"bytes", shard.bytes},
                     {"attributes", attributes},
                     {"datasets", datasets}});
  return description;
}

}  // namespace elmo

#include "io/engine/request.h"

#include <cstdlib>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/files/paths.h"

namespace elmo {

namespace fs = std::filesystem;

namespace {

/// "--input-format text or jsonl": the formats for which `holds` is true.
template <typename Holds>
std::string formats_with(const Holds& holds) {
  std::string names;
  for (const FormatTraits& format : kFormatTraits) {
    if (!holds(format)) continue;
    names += (names.empty() ? "--input-format " : " or ");
    names += kInputFormats.word(format.format);
  }
  return names;
}

}  // namespace

void check_rules(const GivenOptions& given, const std::vector<OptionRule>& rules) {
  for (const OptionRule& rule : rules) {
    if (rule.holds || !given.contains(rule.option)) continue;
    throw RequestError(rule.option + " makes sense only with " + rule.condition);
  }
}

void check_conflicts(const GivenOptions& given, std::span<const OptionConflict> conflicts) {
  for (const OptionConflict& conflict : conflicts) {
    if (!given.contains(conflict.option) || !given.contains(conflict.other)) continue;
    throw RequestError(std::string(conflict.option) + " with " + conflict.other + ": " +
                       conflict.reason);
  }
}

void check_segmentation_flag(const GivenOptions& given, const std::string& option,
                             InputFormat format) {
  check_rules(given, {{option, is_segmented(format), formats_with([](const FormatTraits& other) {
                         return is_segmented(other.format);
                       })}});
}

void check_input_flags(const GivenOptions& given, const InputOptions& input) {
  const bool records = traits_of(input.format).has_records;
  const std::string with_records =
      formats_with([](const FormatTraits& format) { return format.has_records; });
  for (const char* option : {"--lines", "--tokenizer", "--locale"}) {
    check_segmentation_flag(given, option, input.format);
  }
  check_rules(given, {{"--text-field", records, with_records},
                      {"--id-field", records, with_records},
                      {"--skip-bad-records", records, with_records}});
}

void check_initial_state(const GivenOptions& given, InitialState state) {
  check_rules(given, {{"--lanes", state == InitialState::carry, "--initial-state carry"}});
}

void check_workers(int threads, int workers) {
  if (threads > 0 && workers > threads) {
    throw RequestError("--workers: found " + std::to_string(workers) + "; expected at most the " +
                       std::to_string(threads) + " of --threads");
  }
}

namespace {

/// Returns the path of the installed model of that name, unless a path of that name is a model,
/// too.
std::optional<std::filesystem::path> chosen_installed(const std::string& name) {
  std::optional<std::filesystem::path> installed = installed_model(name);
  if (!installed || !is_there(name)) return installed;
  try {
    locate_model(std::filesystem::path(name));
    return std::nullopt;
  } catch (const InputError&) {
    return installed;  // such as the folder of a run that is named after its model
  }
}

}  // namespace

std::filesystem::path model_path(const std::string& model) {
  return chosen_installed(model).value_or(model);
}

std::string installed_name(const ModelRequest& request) {
  if (request.model.empty()) return request.options.empty() ? kDefaultModel : "";
  return chosen_installed(request.model) ? request.model : "";
}

ModelLocation locate_model(const ModelRequest& request) {
  ModelLocation location;
  if (request.model == kAutoModel) {
    throw RequestError(
        "--model auto chooses by the text that `elmo embed` reads; name a model here");
  }
  if (!request.model.empty()) {
    location = locate_model(model_path(request.model));
  } else if (!request.options.empty() && !request.weights.empty()) {
    location = {request.options, request.weights, std::nullopt, std::nullopt};
  } else if (std::optional<ModelLocation> installed = default_model()) {
    location = *std::move(installed);
  } else {
    const char* const folder = std::getenv("ELMO_MODEL_PATH");
    const std::string searched = folder == nullptr || *folder == '\0'
                                     ? ""
                                     : " in the folder of ELMO_MODEL_PATH, " + std::string(folder);
    throw RequestError(std::string("no model given, and the default, ") + kDefaultModel +
                       ", is not installed" + searched + ": use --model PATH");
  }
  if (!request.vocabulary.empty()) {
    if (location.archive) {
      throw RequestError("--vocab goes with a model in a folder; that of " + request.model +
                         " lies in the archive");
    }
    if (location.many_langs) {
      throw RequestError("--vocab goes with a model in the published layout; that of " +
                         request.model + " has its words in word.dic");
    }
    location.vocabulary = request.vocabulary;
  }
  return location;
}

LoadedModel load_model(const ModelRequest& request) {
  LoadedModel model = load_model(locate_model(request));
  check_vocabulary(request, model.options);
  model.name = request.model;
  if (model.name.empty()) model.name = request.options.empty() ? kDefaultModel : request.weights;
  return model;
}

void check_vocabulary(const ModelRequest& request, const ModelOptions& model) {
  if (request.vocabulary.empty() || !model.char_cnn) return;
  throw RequestError("--vocab goes with a model that reads words; this one reads characters");
}

void require_trainable(const std::string& model, const ModelLocation& location) {
  if (!location.many_langs) return;
  throw RequestError(
      "--model: found a model of ELMoForManyLangs, " + model +
      "; expected one in the published layout, as training writes; "
      "'elmo convert' makes one of a model that reads words alone, or for a list of words");
}

void check_preset_flags(const PresetFlags& flags) {
  if (flags.preset.empty() && flags.options.empty()) {
    throw RequestError("no architecture given: use --preset " + joined(preset_names(), "|") +
                       " or --options FILE");
  }
}

ModelOptions model_options(const PresetFlags& flags) {
  if (flags.options.empty()) return *preset(flags.preset);
  return read_options(flags.options).options;
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

RunMode run_mode(bool resume, bool overwrite) {
  if (overwrite) return RunMode::overwrite;
  return resume ? RunMode::resume : RunMode::create;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  if (!is_there(folder)) return false;
  const fs::path top = fs::canonical(folder);
  for (fs::path above = fs::weakly_canonical(fs::absolute(path));; above = above.parent_path()) {
    if (above == top) return true;
    if (!above.has_relative_path()) return false;
  }
}

}  // namespace elmo

#include "io/engine/request.h"

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

void require_other_file(Setting setting, const std::string& output,
                        const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (!is_file(output) || !is_there(input) || !fs::equivalent(output, input)) continue;
    throw RequestError(setting + ": " + output + " is one of the files that are read; choose " +
                       "another name");
  }
}

void require_other_folder(const std::string& output, const fs::path& input) {
  if (is_there(output) && is_there(input) && fs::equivalent(output, input)) {
    throw RequestError(Setting::output + ": " + output +
                       " is the folder that is read; choose another one");
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

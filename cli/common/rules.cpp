#include "cli/common/rules.h"

#include "core/error.h"
#include "io/text/formats/format_reader.h"

namespace elmo {
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

void check_rules(const GivenFlags& given, const std::vector<FlagRule>& rules) {
  for (const FlagRule& rule : rules) {
    if (rule.holds || !given.contains(rule.flag)) continue;
    throw RequestError(rule.flag + " makes sense only with " + rule.condition);
  }
}

void check_segmentation_flag(const GivenFlags& given, const std::string& flag, InputFormat format) {
  check_rules(given, {{flag, is_segmented(format), formats_with([](const FormatTraits& other) {
                         return is_segmented(other.format);
                       })}});
}

void check_tokenizer_flags(const GivenFlags& given, InputFormat format, bool by_model) {
  const bool declares = by_model && format == InputFormat::tokens;
  if (!declares) check_segmentation_flag(given, "--tokenizer", format);
  if (!declares || !given.contains("--tokenizer")) {
    check_segmentation_flag(given, "--locale", format);
    check_segmentation_flag(given, "--contractions", format);
  }
}

void check_input_flags(const GivenFlags& given, const InputOptions& input, bool by_model) {
  const auto only_with = [&](const std::string& flag, InputFormat format) {
    check_rules(given, {{flag, input.format == format,
                         "--input-format " + std::string(kInputFormats.word(format))}});
  };
  check_segmentation_flag(given, "--lines", input.format);
  check_tokenizer_flags(given, input.format, by_model);
  only_with("--text-field", InputFormat::jsonl);
  only_with("--id-field", InputFormat::jsonl);
  only_with("--skip-bad-records", InputFormat::jsonl);
  only_with("--word-column", InputFormat::vertical);
}

void check_initial_state(const GivenFlags& given, InitialState state) {
  check_rules(given, {{"--lanes", state == InitialState::carry, "--initial-state carry"}});
}

void check_mixing_flags(const GivenFlags& given, std::optional<LayerSelection> layers,
                        const TaskMixRequest& request) {
  const bool mix = layers == LayerSelection::mix;
  const bool learned = !request.task.empty();
  check_rules(given, {{"--mix-weights", mix, "--layers mix"},
                      {"--mix", mix, "--layers mix"},
                      {"--gamma", mix && !learned, "--layers mix, and without --mix"},
                      {"--layer-norm", !learned, "a mixture that is not learned, without --mix"},
                      {"--layer-norm", mix || layers == LayerSelection::average,
                       "--layers average or mix"}});
}

}  // namespace elmo

// What a trained task model is, as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/common/task_options.h"
#include "io/text/formats/tokenizer_description.h"

namespace elmo {

/// The shares and the factor that a model learned for a place of the biLM's mixed layers.
struct LearnedMix {
  std::string place;          ///< "input" or "output"
  std::vector<float> shares;  ///< [L + 1] s_j, of sum 1
  float gamma = 1.0F;
};

/// All of a trained model but its words and its weights.
struct TaskDescription {
  TaskOptions options;
  std::vector<std::string> labels;
  std::string bilm;  ///< the fingerprint of the biLM that activations have to be of; empty: none
  std::vector<LearnedMix> mixes;
  std::string bilm_name = {};  ///< as it was named; empty: not known
  /// Of raw text; nothing in models of version 0.7.
  std::optional<TokenizerDescription> tokenizer = std::nullopt;
};

/// The biLM in words: its name, if it is known, and its fingerprint.
std::string bilm_words(const TaskDescription& description);

/// One JSON object, indented; without the biLM's name where that is not known.
std::string description_text(const TaskDescription& description);

/// InputError, naming `file`, the key, what was found and what was expected.
TaskDescription parse_description(std::string_view text, const std::string& file);

}  // namespace elmo

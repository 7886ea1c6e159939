// Description of a trained task model, as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/common/task_options.h"
#include "io/text/formats/tokenizer_description.h"

namespace elmo {

/// Learned weights of the biLM's mixed layers at one location.
struct LearnedMix {
  std::string place;          ///< "input" or "output"
  std::vector<float> shares;  ///< [L + 1] layer weights s_j, which sum to 1
  float gamma = 1.0F;
};

/// A trained model without its words and its weights.
struct TaskDescription {
  TaskOptions options;
  std::vector<std::string> labels;
  std::string bilm;  ///< fingerprint of the biLM that the activations must come from; empty: none
  std::vector<LearnedMix> mixes;
  std::string bilm_name = {};  ///< as given by the user; empty: unknown
  /// Tokenizer of raw text; unset in models of version 0.7.
  std::optional<TokenizerDescription> tokenizer = std::nullopt;
};

/// The biLM for messages: its name, if known, and its fingerprint.
std::string bilm_words(const TaskDescription& description);

/// One indented JSON object. The biLM's name is omitted if unknown.
std::string description_text(const TaskDescription& description);

/// InputError, naming `file` and the key, with what was found and what was expected.
TaskDescription parse_description(std::string_view text, const std::string& file);

}  // namespace elmo

// Description of a trained task model: its settings, labels and biLM, in DIR/task.json.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/common/task_options.h"
#include "io/tasks/kinds.h"
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
  const LabeledKind* kind = labeled_kind("tag");
  TaskOptions options;
  std::vector<std::string> labels;
  std::string bilm;  ///< fingerprint of the biLM that the activations must come from; empty: none
  std::vector<LearnedMix> mixes;
  std::string bilm_name = {};  ///< name given by the user; empty: unknown
  /// Tokenizer of raw text; unset in models of version 0.7.
  std::optional<TokenizerDescription> tokenizer = std::nullopt;
};

/// The biLM for messages: its name, if known, and its fingerprint.
std::string bilm_words(const TaskDescription& description);

/// One indented JSON object. The biLM's name is omitted if unknown.
std::string description_text(const TaskDescription& description);

/// Parses the description of a model of one of `kinds`. InputError, naming `file` and the key, with
/// what was found and what was expected.
TaskDescription parse_description(std::string_view text, const std::string& file,
                                  std::span<const LabeledKind> kinds = labeled_kinds());

/// The files of a folder's model, even if replacing the model was interrupted.
class TaskFiles {
 public:
  static constexpr const char* kDescription = "task.json";
  static constexpr const char* kWords = "words.txt";
  static constexpr const char* kWeights = "task.hdf5";
  static constexpr std::array kAll = {kDescription, kWords, kWeights};

  explicit TaskFiles(std::filesystem::path folder);

  std::filesystem::path path(const char* name) const;

  /// InputError, naming the folder, if it lacks the file.
  std::string read(const char* name) const;

 private:
  std::filesystem::path folder_;
  std::optional<std::map<std::string, std::string>> moved_;
};

/// True if the folder has a trained task model.
bool holds_task(const std::filesystem::path& folder);

/// Reads the description in a folder. InputError, naming the file, if it is missing or damaged.
TaskDescription read_task_description(const std::filesystem::path& folder,
                                      std::span<const LabeledKind> kinds = labeled_kinds());

}  // namespace elmo

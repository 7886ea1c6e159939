// Messages that refer to settings instead of naming them. Each front end inserts its own names: a
// command --learning-rate, a Python function learning_rate.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/enum_table.h"

namespace elmo {

/// The settings that messages name.
enum class Setting {
  average_words,
  boundaries,
  column,
  contractions,
  corpus,
  differences,
  dtype,
  evaluations,
  features,
  forget_sentences,
  format,
  fractions,
  gradient_clip,
  id_field,
  initial_state,
  input_format,
  job_array,  ///< option of the program that starts the parts of a run
  label_column,
  labels,
  layer,
  layers,
  learning_rate,
  lines,
  locale,
  map,
  match,
  memory,
  mix,
  model,
  new_vocab,
  normalize,
  options,
  other_words,
  output,
  overwrite,
  part,
  parts,
  place,
  pool,
  pool_by,
  precision,
  predict,
  preset,
  resume,
  same_word,
  sample,
  settings,
  skip_bad_records,
  skip_unanswerable,
  softmax_steps,
  strict,
  text_column,
  text_field,
  threads,
  tokenizer,
  valid,
  vocab,
  weight_decay,
  weights,
  words,
  workers
};

/// The names in messages for programmers.
inline constexpr auto kSettings = enumerator_table<Setting::workers>();

/// A way to avoid an error. Each front end words it with the settings that it offers.
enum class Remedy {
  none,
  give_vocabulary,     ///< a word-level model needs its vocabulary
  compute_in_float32,  ///< the chosen precision is not available
  train_slower,        ///< a lower learning rate, or shorter gradients
  list_models,         ///< the installed models, in brackets
  name_model_files,    ///< say which file holds the options and which the weights
  repair_text,         ///< read invalid characters as U+FFFD
  skip_bad_records,    ///< leave out records that cannot be read
  skip_unanswerable,   ///< leave out questions without an answer
  forget_sentences,    ///< do not keep the sentences' text
  replace_file,        ///< replace the existing output
  write_beside,        ///< write into a folder that holds other files
  resume_or_replace,   ///< continue the existing run, or replace it
  begin_anew           ///< replace a run that cannot be continued
};

/// The name of a part of a run's provenance. A front end adds which of its settings choose it.
struct Component {
  std::string name;
  bool operator==(const Component&) const = default;
};

/// A text with settings, components and remedies in it, joined by +: Setting::model + " auto: found
/// no text".
class Message {
 public:
  using Part = std::variant<std::string, Setting, Component, Remedy>;

  Message() = default;
  Message(std::string text) {
    if (!text.empty()) parts_.emplace_back(std::move(text));
  }
  Message(const char* text) : Message(std::string(text)) {}
  Message(Setting setting) : parts_{setting} {}
  Message(Component component) : parts_{std::move(component)} {}
  Message(Remedy remedy) {
    if (remedy != Remedy::none) parts_.emplace_back(remedy);
  }

  Message& operator+=(const Message& other) {
    parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
    return *this;
  }

  const std::vector<Part>& parts() const { return parts_; }
  bool empty() const { return parts_.empty(); }

  /// Returns the text with the names in kSettings, without remedies.
  std::string text() const {
    std::string text;
    for (const Part& part : parts_) {
      if (const auto* const words = std::get_if<std::string>(&part)) text += *words;
      if (const auto* const setting = std::get_if<Setting>(&part)) text += kSettings.word(*setting);
      if (const auto* const component = std::get_if<Component>(&part)) text += component->name;
    }
    return text;
  }

 private:
  std::vector<Part> parts_;
};

inline Message operator+(Message first, const Message& second) { return first += second; }
// Without a class among the operands, C++ considers operators with an enum parameter only.
inline Message operator+(const char* first, Setting second) { return Message(first) += second; }
inline Message operator+(Setting first, const char* second) { return Message(first) += second; }

}  // namespace elmo

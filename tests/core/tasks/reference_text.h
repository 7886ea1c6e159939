// Parts of models that label texts, in double precision, from parameters by name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {

/// The parts of a model without dropout, for one text.
class ReferenceText {
 public:
  ReferenceText(const TaskOptions& options, const ReferenceValues& values)
      : options_(options), values_(values) {}

  const ReferenceRow& at(const std::string& name) const { return values_.at(name); }

  ReferenceRows linear(const std::string& name, const ReferenceRows& rows) const {
    return reference_linear(rows, at(name + "/W"), at(name + "/b"));
  }

  ReferenceRows rectified(const std::string& name, const ReferenceRows& rows) const {
    ReferenceRows result;
    for (const ReferenceRow& row : linear(name, rows)) result.push_back(reference_relu(row));
    return result;
  }

  ReferenceRows bilstms(const std::string& name, std::int64_t layers, ReferenceRows rows) const {
    for (std::int64_t layer = 1; layer <= layers; ++layer) {
      rows = bilstm((name + "_").append(std::to_string(layer)), rows);
    }
    return rows;
  }

  ReferenceRows bilstm(const std::string& name, const ReferenceRows& rows) const {
    ReferenceRows both = direction(name + "/forward", rows, false);
    join(both, direction(name + "/backward", rows, true));
    return both;
  }

  /// [characters; word; ELMo].
  ReferenceRows tokens(const TaskText& text) const {
    const auto columns = static_cast<std::size_t>(options_.word_columns);
    ReferenceRows rows;
    for (std::size_t t = 0; t < text.words.size(); ++t) {
      ReferenceRow row;
      if (options_.character_filters > 0) {
        row = reference_characters(text.sentence->token(t), at("characters/characters"),
                                   static_cast<std::size_t>(options_.character_columns),
                                   at("characters/W"), at("characters/b"),
                                   static_cast<std::size_t>(options_.character_width));
      }
      const auto word = at("words").begin() + text.words[t] * options_.word_columns;
      row.insert(row.end(), word, word + static_cast<std::ptrdiff_t>(columns));
      rows.push_back(row);
    }
    if (options_.elmo_at_input()) join(rows, layers("elmo_input", text));
    return rows;
  }

  /// [h; ELMo], or h.
  ReferenceRows with_output_elmo(ReferenceRows rows, const TaskText& text) const {
    if (options_.elmo_at_output()) join(rows, layers("elmo_output", text));
    return rows;
  }

  /// λ‖w‖² of all mixes.
  double penalty() const {
    double sum = 0.0;
    for (const char* name : {"elmo_input/w", "elmo_output/w"}) {
      const auto found = values_.find(name);
      if (found == values_.end()) continue;
      for (const double w : found->second) sum += w * w;
    }
    return double{options_.mix.lambda} * sum;
  }

  static void join(ReferenceRows& rows, const ReferenceRows& more) {
    for (std::size_t t = 0; t < rows.size(); ++t) {
      rows[t].insert(rows[t].end(), more[t].begin(), more[t].end());
    }
  }

 private:
  ReferenceRows direction(const std::string& name, const ReferenceRows& rows, bool reversed) const {
    return reference_lstm(rows, at(name + "/W_x"), at(name + "/W_h"), at(name + "/b"), reversed);
  }

  // The activations as they are, or their mix.
  ReferenceRows layers(const std::string& name, const TaskText& text) const {
    if (options_.mix.kind != MixKind::concat) return mix(name, text);
    ReferenceRows rows(text.words.size());
    const std::size_t width = text.activations.size() / rows.size();
    for (std::size_t i = 0; i < text.activations.size(); ++i) {
      rows[i / width].push_back(double{text.activations[i]});
    }
    return rows;
  }

  // γ Σ s_j h_j with h_0 = [x; x].
  ReferenceRows mix(const std::string& name, const TaskText& text) const {
    const ReferenceRow shares = reference_softmax(at(name + "/w"));
    const double gamma = at(name + "/gamma")[0];
    const auto p = static_cast<std::size_t>(options_.bilm.projection);
    const auto width = static_cast<std::size_t>(options_.bilm.rows()) * p;
    ReferenceRows rows;
    for (std::size_t t = 0; t < text.words.size(); ++t) {
      ReferenceRow row(2 * p, 0.0);
      for (std::size_t j = 0; j < shares.size(); ++j) {
        for (std::size_t c = 0; c < 2 * p; ++c) {
          const std::size_t from = j == 0 ? c % p : (2 * j - 1) * p + c;
          row[c] += gamma * shares[j] * double{text.activations[t * width + from]};
        }
      }
      rows.push_back(row);
    }
    return rows;
  }

  const TaskOptions& options_;
  const ReferenceValues& values_;
};

}  // namespace elmo

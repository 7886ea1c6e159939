// How far the use of words differs between two corpora, whose vectors are in two runs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/use_change.h"
#include "io/engine/listener.h"

namespace elmo {

struct ChangeRequest {
  std::array<std::string, 2> runs;  ///< folders
  /// A file with one word per line, or words with commas between them. A word's forms may follow
  /// behind a tab, with commas between them; without forms, it is its only form.
  std::string words;
  bool ignore_case = false;
  std::string layer;  ///< empty: the top layer
};

struct ChangedWord {
  std::string word;
  std::array<std::uint64_t, 2> uses{};
  std::optional<UseChange> change{};  ///< nothing if it has fewer than 2 uses in a run
};

struct ChangeOutcome {
  std::vector<ChangedWord> words;  ///< by difference, largest first; then those without figures
  std::uint64_t tokens = 0;        ///< of both runs
};

/// Compares the uses of the words in one pass over each run, in memory for two sums per word and
/// run. Errors: InputError if the runs have vectors of different models, layers or dtypes, or rows
/// for more than a token; for words that are listed twice or of which none occurs; and for a vector
/// that is not finite. Otherwise as RunLayer and for_each_word.
ChangeOutcome run_change(const ChangeRequest& request, RunListener& listener);

}  // namespace elmo

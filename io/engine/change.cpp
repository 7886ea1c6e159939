#include "io/engine/change.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/text.h"
#include "io/engine/run_layer.h"
#include "io/files/paths.h"
#include "io/text/input/text_lines.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

/// The words to compare.
class Targets {
 public:
  explicit Targets(const ChangeRequest& request) : ignore_case_(request.ignore_case) {
    for_each_word(request.words, [&](std::string_view line) { add(split(line, '\t')); });
  }

  std::vector<ChangedWord> words;

  /// Returns the indices of the words of which `token` is a form.
  const std::vector<std::size_t>& find(std::string_view token) const {
    static const std::vector<std::size_t> none;
    const auto found = forms_.find(form_of(token));
    return found == forms_.end() ? none : found->second;
  }

 private:
  void add(const std::vector<std::string_view>& columns) {
    if (columns.size() > 2) {
      throw InputError("found " + std::to_string(columns.size()) +
                       " columns; expected a word, or a word and its forms");
    }
    const std::string word(columns.front());
    if (std::ranges::find(words, word, &ChangedWord::word) != words.end()) {
      throw InputError("found '" + excerpt(word) + "' again; expected each word once");
    }
    for (const std::string_view form : split(columns.back(), ',')) {
      const std::string_view token = without_outer_blanks(form);
      if (token.empty()) throw InputError("found an empty form of '" + excerpt(word) + "'");
      auto& of = forms_[form_of(token)];
      if (of.empty() || of.back() != words.size()) of.push_back(words.size());
    }
    words.push_back({word});
  }

  /// The form in which words are compared.
  std::string form_of(std::string_view word) const {
    return ignore_case_ ? fold_case(word) : canonical_form(word);
  }

  bool ignore_case_;
  TextMap<std::vector<std::size_t>> forms_;
};

/// Throws InputError if vectors of the two runs cannot be compared.
void require_comparable(const ChangeRequest& request, const RunLayer& one, const RunLayer& other) {
  const auto require = [&](const std::string& name, const std::string& first,
                           const std::string& second) {
    if (first == second) return;
    throw InputError(request.runs[1] + ": its " + name + " is " + second + "; expected " + first +
                     ", as in " + request.runs[0]);
  };
  for (const char* name : {"model", "selected_layers", "initial_state", "precision"}) {
    require(name, component(one.manifest().provenance, name),
            component(other.manifest().provenance, name));
  }
  require("dtype", std::string(kDtypes.word(one.manifest().dtype)),
          std::string(kDtypes.word(other.manifest().dtype)));
  require("width", std::to_string(one.layer().width), std::to_string(other.layer().width));
}

std::vector<UseSums> read_uses(const std::string& name, RunLayer& run, const Targets& targets,
                               std::uint64_t before, RunListener& listener) {
  std::vector<UseSums> sums(targets.words.size(),
                            UseSums(static_cast<std::size_t>(run.layer().width)));
  const std::vector<std::size_t>* found = nullptr;
  std::uint64_t token = 0;
  run.read(
      [&](std::string_view word) {
        ++token;
        found = &targets.find(word);
        return !found->empty();
      },
      [&](std::span<const float> vector) {
        if (!std::ranges::all_of(vector, [](float value) { return std::isfinite(value); })) {
          throw InputError(name + ": the vector of token " + std::to_string(token) +
                           " has a value that is not finite; expected numbers");
        }
        for (const std::size_t target : *found) sums[target].add(vector);
      },
      [&](std::uint64_t tokens) {
        listener.progressed({before + tokens, std::nullopt, name}, 0);
      });
  return sums;
}

}  // namespace

ChangeOutcome run_change(const ChangeRequest& request, RunListener& listener) {
  Targets targets(request);
  RunLayer first(request.runs[0], request.layer);
  RunLayer second(request.runs[1], request.layer);
  require_comparable(request, first, second);
  const std::vector<UseSums> uses1 = read_uses(request.runs[0], first, targets, 0, listener);
  const std::vector<UseSums> uses2 =
      read_uses(request.runs[1], second, targets, first.tokens(), listener);
  listener.progress_ended();
  ChangeOutcome outcome{std::move(targets.words), first.tokens() + second.tokens()};
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < outcome.words.size(); ++i) {
    ChangedWord& word = outcome.words[i];
    word.uses = {uses1[i].count(), uses2[i].count()};
    word.change = UseSums::change(uses1[i], uses2[i]);
    all += word.uses[0] + word.uses[1];
  }
  if (all == 0) {
    const std::size_t others = outcome.words.size() - 1;
    throw InputError(request.words + ": found no use of '" + excerpt(outcome.words.front().word) +
                     (others > 0 ? "' or of " + human_count(others, "other word") : "'") +
                     " in the runs; expected words as `elmo tokenize` shows them");
  }
  // Words without figures come last.
  std::ranges::stable_sort(outcome.words, std::ranges::greater(), [](const ChangedWord& word) {
    return word.change ? word.change->difference() : -std::numeric_limits<double>::infinity();
  });
  return outcome;
}

}  // namespace elmo

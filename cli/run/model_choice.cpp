#include "cli/run/model_choice.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/human.h"
#include "core/error.h"
#include "io/model/installed.h"
#include "io/model/model.h"
#include "io/shard/manifest/manifest.h"
#include "io/text/segment/script.h"

namespace elmo {
namespace {

constexpr std::size_t kPeekedWords = 4096;  // that are looked at

/// How many words there are of each script.
struct Scripts {
  std::map<std::string, std::uint64_t> words;
  std::uint64_t all = 0;

  explicit Scripts(const std::vector<std::string>& tokens) {
    for (const std::string& token : tokens) {
      const std::string script = script_of(token);
      if (script.empty()) continue;
      ++words[script];
      ++all;
    }
  }

  std::string most() const {
    const auto found =
        std::max_element(words.begin(), words.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return found->first;
  }

  std::uint64_t in(const std::vector<std::string>& scripts) const {
    std::uint64_t sum = 0;
    for (const auto& [script, count] : words) {
      if (std::find(scripts.begin(), scripts.end(), script) != scripts.end()) sum += count;
    }
    return sum;
  }

  std::string share(std::uint64_t count) const {
    return formatted("%.0f %%", 100.0 * static_cast<double>(count) / static_cast<double>(all));
  }
};

std::string list_of(const std::vector<InstalledModel>& models) {
  std::string text;
  for (const InstalledModel& model : models) {
    text += (text.empty() ? "" : ", ") + model.name +
            (model.language ? ", " + to_string(*model.language) : ", of a language not told");
  }
  return text.empty() ? "none" : text;
}

ModelChoice choice_of(const EmbedFlags& flags, const InstalledModel& model, std::string why) {
  ModelChoice choice{flags.model, std::move(why)};
  choice.model.model = model.folder.string();
  return choice;
}

/// The installed model of that fingerprint.
ModelChoice model_of_run(const EmbedFlags& flags, const std::string& fingerprint) {
  const std::vector<InstalledModel> models = installed_models();
  for (const InstalledModel& model : models) {
    ModelFlags named = flags.model;
    named.model = model.folder.string();
    if (load_model(locate_model(named)).fingerprint != fingerprint) continue;
    return choice_of(flags, model, model.name + ", which the run was begun with");
  }
  throw RequestError("--model auto: the run in " + flags.output +
                     " was begun with a model that is not installed (fingerprint " + fingerprint +
                     "; installed: " + list_of(models) + "); name it with --model PATH");
}

ModelChoice model_of_text(const EmbedFlags& flags, const Scripts& scripts) {
  const std::vector<InstalledModel> models = installed_models();
  const auto is_default = [](const InstalledModel& model) { return model.name == kDefaultModel; };
  if (scripts.all == 0) {
    const auto found = std::find_if(models.begin(), models.end(), is_default);
    if (found != models.end()) {
      return choice_of(flags, *found, found->name + ": no word shows a script");
    }
    throw RequestError(
        "--model auto: found a text without a word that shows a script; name a "
        "model with --model PATH (installed: " +
        list_of(models) + ")");
  }
  const std::string most = scripts.most();
  const InstalledModel* best = nullptr;
  // The fewest scripts that have nearly all words, for a few words in Latin are in every text; else
  // the scripts that have most. Then the default model, then the first name.
  const auto rank = [&](const InstalledModel& model) {
    const std::uint64_t words = scripts.in(model.language->scripts);
    const bool nearly_all = 4 * words >= 3 * scripts.all;
    return std::tuple(nearly_all, nearly_all ? -std::ssize(model.language->scripts) : 0, words,
                      is_default(model));
  };
  for (const InstalledModel& model : models) {
    if (!model.language) continue;
    const std::vector<std::string>& reads = model.language->scripts;
    if (std::find(reads.begin(), reads.end(), most) == reads.end()) continue;
    if (best == nullptr || rank(model) > rank(*best)) best = &model;
  }
  if (best == nullptr) {
    throw RequestError("--model auto: found a text of which " +
                       scripts.share(scripts.words.at(most)) + " of the words are in " + most +
                       "; expected a script that an installed model reads (" + list_of(models) +
                       "). Name a model with --model PATH");
  }
  return choice_of(flags, *best,
                   best->name + ", " + to_string(*best->language) + ": the script of " +
                       scripts.share(scripts.in(best->language->scripts)) + " of the first words");
}

}  // namespace

ModelChoice choose_model(const EmbedFlags& flags, EmbedInput& input) {
  if (flags.resume) {
    if (const std::optional<Manifest> run = read_manifest(flags.output)) {
      const auto model = std::find_if(run->fingerprint.begin(), run->fingerprint.end(),
                                      [](const auto& entry) { return entry.first == "model"; });
      return model_of_run(flags, model == run->fingerprint.end() ? "" : model->second);
    }
  }
  return model_of_text(flags, Scripts(input.peek_words(kPeekedWords)));
}

}  // namespace elmo

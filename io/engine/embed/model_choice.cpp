#include "io/engine/embed/model_choice.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "io/engine/run_settings.h"
#include "io/model/model.h"
#include "io/shard/manifest.h"
#include "io/text/input/input_files.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/icu.h"

namespace elmo {
namespace {

// The sample of an input that can be read only once.
constexpr std::size_t kPeekedBytes = std::size_t{1} << 20;
constexpr std::size_t kPeekedWords = 4096;
constexpr std::size_t kSampledWords = 65536;  // words from all files together
constexpr std::size_t kSampledFiles = 64;     // maximum; spread evenly

/// The number of letters of each script.
struct Scripts {
  std::map<std::string, std::uint64_t> letters;
  std::uint64_t all = 0;

  void add(std::string_view word) {
    const std::string script = script_of(word);
    if (script.empty()) return;
    const auto count = static_cast<std::uint64_t>(std::ranges::count_if(
        word, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
    letters[script] += count;
    all += count;
  }

  std::string most() const {
    return std::ranges::max_element(letters, {}, [](const auto& one) { return one.second; })->first;
  }

  std::uint64_t in(const std::vector<std::string>& scripts) const {
    std::uint64_t sum = 0;
    for (const auto& [script, count] : letters) {
      if (std::ranges::find(scripts, script) != scripts.end()) sum += count;
    }
    return sum;
  }

  std::string share(std::uint64_t count) const {
    return formatted("%.0f %%", 100.0 * static_cast<double>(count) / static_cast<double>(all));
  }
};

/// Adds the scripts of the first `count` words of `source`, rounded up to whole sentences.
void add_scripts(TextSource& source, std::size_t count, Scripts& scripts) {
  Sentence sentence;
  for (std::size_t words = 0; words < count && source.next(sentence);) {
    words += sentence.size();
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      scripts.add(sentence.token(token));
    }
  }
}

/// Returns the scripts at the beginning of an input that can be read only once. Waits until there
/// is one.
Scripts scripts_of_beginning(const InputOptions& reading, TextSource& input) {
  Scripts scripts;
  for (std::size_t before = 0; scripts.all == 0;) {
    const std::string text(input.peek(before + 1, kPeekedBytes));
    if (text.size() <= before) break;
    before = text.size();
    const std::unique_ptr<TextSource> source =
        open_source(reading, "the input", std::make_unique<MemoryBytes>(text));
    try {
      add_scripts(*source, kPeekedWords, scripts);
    } catch (const InputError&) {
      // A record that is cut or damaged. A damaged one is reported when the input is read.
    }
    if (before >= kPeekedBytes) break;
  }
  return scripts;
}

/// Returns the scripts of a sample of all files or, if one of them can be read only once, of the
/// first words.
Scripts scripts_of(const EmbedRequest& request, TextSource& input) {
  const InputOptions reading = elmo::reading(request);
  Scripts scripts;
  const FileList& files = input.files();
  for (const InputFile& file : files) {
    if (file.size) continue;
    return scripts_of_beginning(reading, input);
  }
  const std::size_t count = std::min(files.size(), kSampledFiles);
  for (std::size_t number = 0; number < count; ++number) {
    InputOptions one = reading;
    one.files = {files.path(number * files.size() / count)};
    const std::unique_ptr<TextSource> source = open_source(one);
    add_scripts(*source, kSampledWords / count, scripts);
  }
  return scripts;
}

std::string list_of(const std::vector<InstalledModel>& models) {
  if (models.empty()) return "none";
  return joined(models, ", ", [](const InstalledModel& model) {
    return model.name +
           (model.language ? ", " + to_string(*model.language) : ", of unknown language");
  });
}

ModelChoice chosen_model(const EmbedRequest& request, const InstalledModel& model, Message why) {
  ModelChoice choice{request.model, model.name, std::move(why)};
  choice.model.model = model.folder.string();
  return choice;
}

/// Returns the installed model that the run in `folder` was started with.
ModelChoice model_of_run(const EmbedRequest& request, const std::string& folder,
                         const Manifest& run) {
  const std::string name = run_settings(run, folder).model;
  const std::vector<InstalledModel> models = installed_models();
  const auto found = std::ranges::find(models, name, &InstalledModel::name);
  if (found != models.end()) {
    return chosen_model(request, *found, found->name + ", which the run was begun with");
  }
  throw RequestError(Setting{"model"} + " auto: the run in " + folder +
                     " was begun with a model that is not installed (" +
                     (name.empty() ? "" : name + "; ") + "fingerprint " +
                     component(run.provenance, "model") + "; installed: " + list_of(models) +
                     "); name it with " + Setting{"model"} + " PATH");
}

ModelChoice model_of_text(const EmbedRequest& request, const Scripts& scripts) {
  const std::vector<InstalledModel> models = installed_models();
  const auto is_default = [](const InstalledModel& model) { return model.name == kDefaultModel; };
  if (scripts.all == 0) {
    const auto found = std::find_if(models.begin(), models.end(), is_default);
    if (found != models.end()) {
      return chosen_model(request, *found, found->name + ": no word shows a script");
    }
    throw RequestError(
        Setting{"model"} +
        " auto: found a text without a word that shows a script; name a model with " +
        Setting{"model"} + " PATH (installed: " + list_of(models) + ")");
  }
  const std::string most = scripts.most();
  const InstalledModel* best = nullptr;
  // Prefer the fewest scripts that have nearly all letters, since every text has a few words in
  // Latin. Otherwise, prefer the scripts that have the most letters. Ties go to the default model,
  // then to the first name.
  const auto is_nearly_all = [&](std::uint64_t letters) { return 4 * letters >= 3 * scripts.all; };
  const auto rank = [&](const InstalledModel& model) {
    const std::uint64_t letters = scripts.in(model.language->scripts);
    const bool nearly_all = is_nearly_all(letters);
    return std::tuple(nearly_all, nearly_all ? -std::ssize(model.language->scripts) : 0, letters,
                      is_default(model));
  };
  for (const InstalledModel& model : models) {
    if (!model.language) continue;
    if (std::ranges::find(model.language->scripts, most) == model.language->scripts.end()) continue;
    if (best == nullptr || rank(model) > rank(*best)) best = &model;
  }
  if (best == nullptr) {
    throw RequestError(Setting{"model"} + " auto: found a text with " +
                       scripts.share(scripts.letters.at(most)) + " of its letters in " + most +
                       "; expected a script that an installed model reads (" + list_of(models) +
                       "). Name a model with " + Setting{"model"} + " PATH");
  }
  const std::uint64_t letters = scripts.in(best->language->scripts);
  return chosen_model(
      request, *best,
      best->name + ", " + to_string(*best->language) + ": the script of " + scripts.share(letters) +
          " of the letters" +
          (is_nearly_all(letters) ? Message()
                                  : ", a close call; name another with " + Setting{"model"} +
                                        ", or the text's language with " + Setting{"locale"}));
}

/// Returns the installed model for the language of `locale`, preferably with the same tag.
ModelChoice model_of_locale(const EmbedRequest& request, const std::string& locale) {
  const std::string wanted = canonical_locale(locale);
  const std::vector<InstalledModel> models = installed_models();
  const InstalledModel* best = nullptr;
  for (const InstalledModel& model : models) {
    if (!model.language) continue;
    const auto locale_of = [](const InstalledModel& one) {
      return canonical_locale(one.language->language);
    };
    if (language_of(locale_of(model)) != language_of(wanted)) continue;
    const auto rank = [&](const InstalledModel& one) {
      return std::pair(locale_of(one) == wanted, one.name == kDefaultModel);
    };
    if (best == nullptr || rank(model) > rank(*best)) best = &model;
  }
  if (best == nullptr) {
    throw RequestError(Setting{"model"} + " auto: found " + Setting{"locale"} + " " + locale +
                       "; expected the language of an installed model (" + list_of(models) +
                       "). Name a model with " + Setting{"model"} + " PATH");
  }
  return chosen_model(request, *best,
                      best->name + ", the language of " + Setting{"locale"} + " " + locale);
}

}  // namespace

ModelChoice choose_model(const EmbedRequest& request, TextSource& input) {
  if (request.format->is_shards() && request.mode == RunMode::resume) {
    if (const std::optional<Manifest> run = read_manifest(request.output)) {
      return model_of_run(request, request.output, *run);
    }
  }
  if (!request.input.request.locale.empty()) {
    return model_of_locale(request, request.input.request.locale);
  }
  return model_of_text(request, scripts_of(request, input));
}

}  // namespace elmo

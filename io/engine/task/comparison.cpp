#include "io/engine/task/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "core/kernels/random.h"
#include "core/tasks/common/token_vectors.h"
#include "core/text.h"
#include "io/engine/run_settings.h"
#include "io/files/checksum.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/json/json_document.h"
#include "io/tasks/task_folder.h"
#include "io/train/run_folder.h"

namespace elmo {

std::vector<ComparedSetting> all_settings(const MixOptions& mix) {
  const auto mixed = [&mix](MixKind kind, float lambda) {
    MixOptions options = mix;
    options.kind = kind;
    options.layer = 0;
    options.lambda = lambda;
    return options;
  };
  const MixOptions learned = mixed(MixKind::all, mix.lambda);
  return {
      {"none", ElmoPlace::none, learned, "no layer of the biLM"},
      {"x", ElmoPlace::input, mixed(MixKind::layer, 0.0F), "input, the token layer alone"},
      {"top", ElmoPlace::input, mixed(MixKind::top, 0.0F), "input, the last layer alone"},
      {"average", ElmoPlace::input, mixed(MixKind::average, 0.0F), "input, all in equal shares"},
      {"concat", ElmoPlace::input, mixed(MixKind::concat, 0.0F), "input, all side by side"},
      {"lambda-1", ElmoPlace::input, mixed(MixKind::all, 1.0F), "input, all learned, λ = 1"},
      {"input", ElmoPlace::input, learned, "input, all learned"},
      {"output", ElmoPlace::output, learned, "output, all learned"},
      {"both", ElmoPlace::both, learned, "input and output, all learned"},
  };
}

std::vector<ComparedSetting> settings_of(const ComparisonRequest& request) {
  std::vector<ComparedSetting> settings = all_settings(request.options.mix);
  std::erase_if(settings, [&request](const ComparedSetting& setting) {
    return std::ranges::count(request.settings, setting.name) == 0;
  });
  return settings;
}

std::vector<ComparedGroup> grouped(std::span<const ComparedModel> models) {
  std::vector<ComparedGroup> groups;
  for (const ComparedModel& model : models) {
    auto group = std::ranges::find_if(groups, [&model](const ComparedGroup& other) {
      return other.setting == model.setting && other.fraction == model.fraction;
    });
    if (group == groups.end()) {
      groups.push_back({model.setting, model.fraction, model.examples, model.batch, {}});
      group = groups.end() - 1;
    }
    group->outcomes.push_back(model.outcome);
  }
  return groups;
}

namespace {

namespace fs = std::filesystem;

std::string checksum_of(const Provenance& provenance) {
  Checksum checksum;
  for (const auto& [name, value] : provenance) checksum.add(name + "\n" + value + "\n");
  return checksum.hex();
}

Json json_of(const ComparedModel& model, const std::string& fingerprint) {
  const TaskOutcome& outcome = model.outcome;
  Json evaluations = Json::array();
  for (const TaskEvaluation& evaluation : outcome.evaluations) {
    evaluations.push_back({{"step", evaluation.step},
                           {"loss", evaluation.loss},
                           {"score", evaluation.score},
                           {"best", evaluation.best}});
  }
  Json mixes = Json::array();
  for (const LearnedMix& mix : outcome.mixes) {
    mixes.push_back({{"place", mix.place}, {"shares", mix.shares}, {"gamma", mix.gamma}});
  }
  return {{"setting", model.setting},  {"fraction", model.fraction},
          {"seed", outcome.seed},      {"examples", model.examples},
          {"batch", model.batch},      {"evaluations", std::move(evaluations)},
          {"mixes", std::move(mixes)}, {"fingerprint", fingerprint}};
}

ComparedModel model_of(const JsonDocument& json) {
  ComparedModel model;
  model.setting = json["setting"].text();
  model.fraction = json["fraction"].number();
  model.examples = static_cast<std::uint64_t>(json["examples"].whole(1, 1LL << 53));
  model.batch = json["batch"].count();
  TaskOutcome& outcome = model.outcome;
  outcome.seed = json["seed"].count(std::numeric_limits<std::uint64_t>::max());
  for (const JsonNode& found : json["evaluations"].elements()) {
    TaskEvaluation evaluation;
    evaluation.number = outcome.evaluations.size() + 1;
    evaluation.step = found["step"].count();
    evaluation.loss = found["loss"].number();
    evaluation.score = found["score"].number();
    evaluation.best = found["best"].flag();
    if (evaluation.best) outcome.best = evaluation;
    outcome.evaluations.push_back(evaluation);
  }
  for (const JsonNode& found : json["mixes"].elements()) {
    LearnedMix& mix = outcome.mixes.emplace_back();
    mix.place = found["place"].text();
    for (const JsonNode& share : found["shares"].elements()) {
      mix.shares.push_back(share.float_number());
    }
    mix.gamma = found["gamma"].float_number();
  }
  return model;
}

constexpr const char* kComparisonLog = "models.jsonl";

/// DIR/models.jsonl, the models that a comparison has trained, so that it can continue. One object
/// per line. One writer at a time.
class ComparisonLog {
 public:
  /// Reads the log, if any. InputError, naming the line, for a line that no comparison wrote.
  explicit ComparisonLog(const std::filesystem::path& folder) : path_(folder / kComparisonLog) {
    std::istringstream file(read_file_if_there(path_).value_or(""));
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
      try {
        const JsonDocument json(line, path_.string() + ": line " + std::to_string(number),
                                "a model of a comparison");
        entries_.push_back({model_of(json), json["fingerprint"].text()});
      } catch (const InputError& error) {
        throw InputError(error.what(), Remedy{"begin_anew"});
      }
    }
  }

  /// Returns the model of this setting, size and seed, if it was trained. InputError if it was
  /// trained on other data or in another way: its provenance differs.
  std::optional<ComparedModel> find(const std::string& setting, double fraction, std::uint64_t seed,
                                    const Provenance& provenance) const {
    const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
      return entry.model.setting == setting && entry.model.fraction == fraction &&
             entry.model.outcome.seed == seed;
    });
    if (found == entries_.end()) return std::nullopt;
    if (found->fingerprint != checksum_of(provenance)) {
      throw InputError(path_.string() + ": the model of " + setting +
                           " was trained on other data or with other options; give the same ones",
                       Remedy{"begin_anew"});
    }
    return found->model;
  }

  /// Adds a model to the log. SystemError if it cannot be written.
  void add(const ComparedModel& model, const Provenance& provenance) {
    entries_.push_back({model, checksum_of(provenance)});
    std::string text;
    for (const Entry& entry : entries_)
      text += json_of(entry.model, entry.fingerprint).dump() + '\n';
    replace_file(path_, text);
  }

 private:
  struct Entry {
    ComparedModel model;
    std::string fingerprint;  // checksum of it
  };

  std::filesystem::path path_;
  std::vector<Entry> entries_;
};

/// Returns the decimal number that was typed, without the rounding to float32.
double written(float number) { return std::stod(human_number(static_cast<double>(number), 6)); }

/// Returns the different parts below 1. RequestError for numbers that are not parts.
std::vector<double> parts_of(const std::vector<float>& fractions) {
  std::vector<double> parts;
  for (const float fraction : fractions) {
    const double part = written(fraction);
    if (!(part > 0.0 && part <= 1.0)) {
      throw RequestError(Setting{"fractions"} + ": found " + human_number(part, 6) +
                         "; expected parts of 1, such as 0.01,0.1,1");
    }
    if (part < 1.0 && std::ranges::count(parts, part) == 0) parts.push_back(part);
  }
  return parts;
}

/// Returns whether a setting is also trained on parts of the data.
bool is_sized(const ComparedSetting& setting) {
  return setting.name == "none" || setting.name == "input";
}

/// Throws RequestError for parts of the data that no setting is trained on.
void check_parts(const ComparisonRequest& request) {
  if (parts_of(request.fractions).empty()) return;
  if (std::ranges::any_of(settings_of(request), is_sized)) return;
  throw RequestError(Setting{"fractions"} + ": parts of the data are for the settings " +
                     kSizedSettings + "; expected one of them in " + Setting{"settings"});
}

class Comparison {
 public:
  Comparison(const ComparisonRequest& request, const TaskRunServices& services)
      : request_(request),
        settings_(settings_of(request)),
        folder_(request.output),
        services_(services),
        listener_(services.listener) {
    services_.compares = true;
  }

  std::optional<ComparisonResult> run(OpenedModel bilm) {
    require_no_vectors(folder_);
    auto lock = std::make_unique<OutputFolder>(folder_);
    listener_.note(lock->warning());
    if (run_mode(request_.resume, request_.overwrite) == RunMode::create &&
        (is_there(folder_ / kComparisonLog) || !trained_folders().empty())) {
      throw RequestError(folder_.string() + " holds a comparison already",
                         Remedy{"resume_or_replace"});
    }
    if (!request_.overwrite) log_.emplace(folder_);
    data_ = load_task_data(request_, std::move(bilm), listener_, services_.stop);
    if (!data_) return stopped();
    if (request_.overwrite) {
      for (const char* name : kComparisonFiles) remove_path(folder_ / name);
      remove_path(folder_ / kComparisonLog);
      for (const fs::path& trained : trained_folders()) remove_task(trained);
      log_.emplace(folder_);
    }
    base_ = data_->options;
    records_ = data_->train.records;
    if (!train_size(1.0)) return stopped();
    for (const double fraction : parts_of(request_.fractions)) {
      if (!train_size(fraction)) return stopped();
    }
    remove_if_empty(folder_ / kRun);
    return ComparisonResult{grouped(models_), data_->metric, std::move(lock)};
  }

 private:
  /// Returns the folders of models that an earlier process was training.
  std::vector<fs::path> trained_folders() const {
    std::vector<fs::path> folders;
    for (const std::string& name : names_in(folder_ / kRun)) {
      const fs::path folder = folder_ / kRun / name;
      const bool ours = std::ranges::any_of(
          all_settings(request_.options.mix),
          [&name](const ComparedSetting& setting) { return name.starts_with(setting.name + "-"); });
      if (ours && is_folder(folder) && (holds_task(folder) || !training_run_in(folder).empty())) {
        folders.push_back(folder);
      }
    }
    return folders;
  }

  /// Trains all models of one size. Returns false if it was stopped.
  bool train_size(double fraction) {
    for (const std::uint64_t seed : request_.all_seeds()) {
      take_part(fraction, seed);
      for (const ComparedSetting& setting : settings_) {
        if (fraction < 1.0 && !is_sized(setting)) continue;
        if (!train_model(setting, fraction, seed)) return false;
      }
    }
    return true;
  }

  /// Reduces the training data to a random part of the examples, drawn by the seed, and their
  /// words.
  void take_part(double fraction, std::uint64_t seed) {
    const auto all = static_cast<double>(records_.size());
    const auto size =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(fraction * all)));
    if (size == data_->train.records.size() && size == records_.size()) return;
    const Permutation order(records_.size(), random_key(seed, RandomUse::shuffle, 0));
    std::vector<std::uint64_t> chosen;
    for (std::uint64_t i = 0; i < size; ++i) chosen.push_back(order(i));
    std::ranges::sort(chosen);
    data_->train.records.clear();
    for (const std::uint64_t index : chosen) data_->train.records.push_back(records_[index]);
    if (!data_->vectors) data_->words = std::make_unique<WordVocabulary>(count_words(data_->train));
    look_up_words(*data_->words, data_->train);
    look_up_words(*data_->words, data_->dev);
    make_corpora(*data_);
  }

  bool train_model(const ComparedSetting& setting, double fraction, std::uint64_t seed) {
    data_->options = base_;
    data_->options.elmo = setting.elmo;
    data_->options.mix = setting.mix;
    const Provenance provenance = task_provenance(request_, *data_, seed);
    const std::string name =
        setting.name + "-" + human_number(fraction, 6) + "-" + std::to_string(seed);
    const fs::path own = folder_ / kRun / name;
    std::optional<ComparedModel> model = log_->find(setting.name, fraction, seed, provenance);
    if (model) check_mixes(*model);
    if (!model) {
      listener_.note(setting.name + ", " + human_count(data_->train.records.size(), "example") +
                     ", seed " + std::to_string(seed));
      const MadeFolder made(own);
      const bool resume = true;  // existing files belong to this comparison
      const std::optional<TaskOutcome> outcome =
          train_task(request_, *data_, own, seed, resume, services_);
      if (!outcome) return false;
      model = {setting.name, fraction, data_->train.records.size(), request_.plan.batch, *outcome};
      log_->add(*model, provenance);
    }
    remove_task(own);
    models_.push_back(*std::move(model));
    return true;
  }

  /// Throws InputError if the log's mixes do not fit the setting, whose options the data have.
  void check_mixes(const ComparedModel& model) const {
    const std::size_t mixes = mix_places(data_->options).size();
    const auto layers = static_cast<std::size_t>(base_.bilm.layers) + 1;
    const std::vector<LearnedMix>& found = model.outcome.mixes;
    if (found.size() == mixes && std::ranges::all_of(found, [layers](const LearnedMix& mix) {
          return mix.shares.size() == layers;
        })) {
      return;
    }
    throw InputError((folder_ / kComparisonLog).string() + ": the mixes do not fit the setting " +
                         model.setting + "; expected " + std::to_string(mixes) + " of " +
                         std::to_string(layers) + " layers",
                     Remedy{"begin_anew"});
  }

  std::optional<ComparisonResult> stopped() const {
    listener_.note("stopped with " + human_count(models_.size(), "model") +
                   " trained; repeat the command with " + Setting{"resume"} + " to continue");
    return std::nullopt;
  }

  static constexpr const char* kRun = "run";  // folder of the model that is being trained

  const ComparisonRequest& request_;
  std::vector<ComparedSetting> settings_;
  fs::path folder_;
  TaskRunServices services_;
  RunListener& listener_;
  std::optional<ComparisonLog> log_;
  std::optional<TaskData> data_;
  TaskOptions base_;
  std::vector<TaskRecord> records_;  // all training examples
  std::vector<ComparedModel> models_;
};

}  // namespace

std::optional<ComparisonResult> run_comparison(const ComparisonRequest& request,
                                               const TaskRunServices& services) {
  check_parts(request);
  return Comparison(request, services).run(task_bilm(request).value());
}

}  // namespace elmo

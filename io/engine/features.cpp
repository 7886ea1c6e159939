#include "io/engine/features.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/engine/run_settings.h"
#include "io/files/paths.h"
#include "io/shard/check.h"
#include "io/shard/format.h"
#include "io/shard/run_reader.h"
#include "io/shard/shard_run.h"

namespace elmo {
namespace {

constexpr std::uint64_t kScratchShardBytes = std::uint64_t{256} << 20;

/// Returns advice on how to get other activations than the existing ones.
std::string advice(const std::filesystem::path& folder) {
  return "; remove " + folder.string() + ", to compute them anew, or name another folder";
}

/// Throws InputError unless the run's model has the fingerprint `model`.
void check_model(const Manifest& manifest, const std::filesystem::path& folder,
                 const std::string& model) {
  const std::string found = component(manifest.provenance, "model");
  if (found == model) return;
  throw InputError(folder.string() + ": found activations of " +
                   (found.empty() ? "no model" : "the model " + found) + "; expected the model " +
                   model + advice(folder));
}

/// Throws InputError if the run has another precision or dtype than requested.
void check_numbers(const Manifest& manifest, const std::filesystem::path& folder,
                   const FeatureOptions& options) {
  const auto check = [&](std::string_view found, std::string_view expected, const char* what) {
    if (found == expected) return;
    throw InputError(folder.string() + ": found activations " + what + ' ' + std::string(found) +
                     "; expected " + std::string(expected) + advice(folder));
  };
  if (options.dtype) {
    check(kDtypes.word(manifest.dtype), kDtypes.word(*options.dtype), "stored as");
  }
  if (options.precision) {
    check(component(manifest.provenance, "precision"), kPrecisions.word(*options.precision),
          "computed in");
  }
}

/// Throws InputError if a shard is not the file that was published.
void check_files(const Manifest& manifest, const std::filesystem::path& folder) {
  for (const ShardEntry& shard : manifest.shards) {
    for (const ListedFile& file : shard.files()) {
      const std::vector<std::string> problems = check_file(folder / file.file, file);
      if (problems.empty()) continue;
      throw InputError(problems.front() + advice(folder));
    }
  }
}

/// Returns the number of tokens published so far.
double tokens_of(const Manifest& manifest) {
  double tokens = 0.0;
  for (const ShardEntry& shard : manifest.shards) tokens += static_cast<double>(shard.tokens);
  return tokens;
}

Normalization normalization_of(const RunReader& run) {
  return run_settings(run.manifest(), run.folder().string()).reading.tokenizer.token_normalization;
}

/// True if the model reads a token of the sentence in another form.
bool has_other_forms(const Sentence& sentence) {
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    if (sentence.encoded(token) != sentence.token(token)) return true;
  }
  return false;
}

/// Throws InputError if the run's sentences differ from `sentences`, which have this normalization,
/// or if its numbers are not finite.
void check_content(RunReader& run, Normalization normalization, SentenceSource& sentences) {
  const std::filesystem::path& folder = run.folder();
  const auto fail = [&](std::uint64_t number, const std::string& found) {
    throw InputError(folder.string() + ": sentence " + std::to_string(number + 1) + " " + found +
                     "; expected the activations of the same sentences in the same order" +
                     advice(folder));
  };
  ActivationBlock block;
  Sentence sentence;
  std::optional<Normalization> found;
  std::uint64_t number = 0;
  while (number < run.sentence_end()) {
    run.read(number, BlockLimit{}, block);
    if (!std::ranges::all_of(block.activations, [](float one) { return std::isfinite(one); })) {
      throw InputError(folder.string() + ": found activations that are not finite" +
                       advice(folder));
    }
    for (const Sentence& kept : block.sentences) {
      if (!sentences.next(sentence)) fail(number, "is beyond the end of the data");
      if (!kept.same_tokens(sentence)) fail(number, "has other tokens than the data");
      if (has_other_forms(sentence)) {
        if (!found) found = normalization_of(run);
        if (found != normalization) fail(number, "has letters that were normalized otherwise");
      }
      ++number;
    }
  }
  if (sentences.next(sentence)) fail(number, "of the data is missing");
}

}  // namespace

Message stopped_text(const FeatureOptions& options) {
  if (options.folder.empty()) return "stopped; use " + Setting{"features"} + " to keep activations";
  return "stopped; repeat the command to continue with the activations in " + options.folder;
}

void require_outside_runs(Setting setting, const std::string& output, const std::string& folder) {
  if (output.empty() || folder.empty() || !is_folder(folder)) return;
  for (const std::string& name : names_in(folder)) {
    const std::filesystem::path run = std::filesystem::path(folder) / name;
    if (!is_file(run / shard_format::kManifest) || !lies_in(output, run)) continue;
    throw RequestError(setting + ": " + output + " lies in the activations in " + run.string() +
                       "; choose a file elsewhere");
  }
}

FeatureStore::FeatureStore(LoadedModel model, const FeatureOptions& options,
                           std::filesystem::path folder, RunListener& listener,
                           const std::atomic<bool>& stop)
    : options_(options),
      folder_(std::move(folder)),
      listener_(listener),
      stop_(stop),
      loaded_(std::move(model)) {
  complete_options();
}

void FeatureStore::complete_options() {
  if (options_.dtype && options_.precision) return;
  if (!is_folder(folder_)) return;
  for (const std::string& name : names_in(folder_)) {
    std::optional<Manifest> manifest;
    try {
      manifest = read_manifest(folder_ / name);
    } catch (const InputError&) {
      continue;  // reported if it is opened
    }
    if (!manifest || component(manifest->provenance, "model") != loaded_.fingerprint) continue;
    if (!options_.dtype) options_.dtype = manifest->dtype;
    if (!options_.precision) {
      options_.precision = kPrecisions.find(component(manifest->provenance, "precision"));
    }
    return;
  }
}

const Bilm& FeatureStore::bilm() {
  if (!bilm_) bilm_ = pack(loaded_, precision());
  return *bilm_;
}

std::unique_ptr<ActivationSource> FeatureStore::open(const std::string& name,
                                                     SentenceSource& sentences,
                                                     std::uint64_t tokens) {
  const std::filesystem::path folder = folder_ / name;
  const std::optional<Manifest> manifest = read_manifest(folder);
  if (manifest) {
    check_model(*manifest, folder, loaded_.fingerprint);
    check_numbers(*manifest, folder, options_);
  }
  if (!manifest || !manifest->complete()) {
    if (!compute(folder, manifest, sentences, tokens)) return nullptr;
    return std::make_unique<RunReader>(folder);
  }
  check_files(*manifest, folder);
  require_all_tokens(*manifest, folder.string());
  auto run = std::make_unique<RunReader>(folder);
  const ActivationLayout expected = activation_layout(loaded_.options, EmbedOptions{});
  if (run->layout().rows != expected.rows || run->layout().width != expected.width) {
    throw InputError(folder.string() + ": found " + layout_text(run->layout()) +
                     "; expected all layers, " + layout_text(expected) + advice(folder));
  }
  check_content(*run, options_.normalization, sentences);
  return run;
}

bool FeatureStore::compute(const std::filesystem::path& folder, const std::optional<Manifest>& kept,
                           SentenceSource& sentences, std::uint64_t tokens) {
  const EmbedOptions options;
  ShardFormat format{activation_layout(loaded_.options, options), dtype(), h5::Compression::none,
                     options.boundaries};
  InputOptions reading;
  reading.format = InputFormat::tokens;
  reading.tokenizer.token_normalization = options_.normalization;
  const RunSettings settings{options, precision(), reading, ""};
  format.options = settings_text(settings);
  format.shard_bytes = kScratchShardBytes;
  Provenance provenance = computing_provenance(settings, loaded_.options, loaded_.fingerprint);
  provenance.emplace_back("input", "sentences of labelled data");
  std::optional<ShardRun> opened;
  try {
    opened.emplace(folder, std::move(provenance), RunMode::resume, format);
  } catch (const InputError& error) {
    // Without their remedies, which are for runs that users name.
    throw InputError(error.what() + advice(folder));
  } catch (const RequestError& error) {
    // Removes nothing if the folder has files that do not belong to a run.
    throw RequestError(std::string(error.what()) + "; name another folder");
  }
  ShardRun& run = *opened;
  listener_.note(run.warning());
  const ResumePoint& point = run.resume_point();
  if (!skip_sentences(sentences, point, &stop_)) return false;

  const double before = kept ? tokens_of(*kept) : 0.0;
  const auto all = static_cast<double>(std::max<std::uint64_t>(1, tokens));
  const auto show = [&](const EmbedProgress& done) {
    listener_.progressed({static_cast<std::uint64_t>(done.computed_tokens),
                          std::min(1.0, (before + done.computed_tokens) / all),
                          "activations of " + folder.filename().string()},
                         before / all);
  };
  const EmbedResult result = embed({.model = bilm(),
                                    .source = sentences,
                                    .sink = run,
                                    .resources = {.threads = options_.threads},
                                    .stop = stop_,
                                    .listener = show,
                                    .beginning = {.first_sentence = point.next_sentence}});
  listener_.progress_ended();
  if (result.completed) {
    listener_.note(human_count(result.progress.tokens, "token") + " embedded into " +
                   folder.string());
  }
  return result.completed;
}

}  // namespace elmo

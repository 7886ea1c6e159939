#include "cli/run/features.h"

#include <utility>

#include "cli/human.h"
#include "cli/report/progress.h"
#include "cli/run/run_fingerprint.h"
#include "core/error.h"
#include "io/files/paths.h"
#include "io/shard/manifest/manifest.h"
#include "io/shard/read/run_reader.h"
#include "io/shard/write/shard_run.h"
#include "io/shard/write/skip.h"

namespace elmo {
namespace {

constexpr std::uint64_t kScratchShardBytes = std::uint64_t{256} << 20;

/// InputError where the run is not one of that model.
void check_model(const Manifest& manifest, const std::filesystem::path& folder,
                 const std::string& model) {
  for (const auto& [name, value] : manifest.fingerprint) {
    if (name != "model" || value == model) continue;
    throw InputError(folder.string() + ": activations of the model " + value +
                     ", expected those of " + model + "; give that model, or another folder");
  }
}

/// InputError where the run's sentences are not those of `sentences`.
void check_sentences(ActivationSource& run, const std::filesystem::path& folder,
                     SentenceSource& sentences) {
  const auto fail = [&](std::uint64_t number, const std::string& found) {
    throw InputError(folder.string() + ": sentence " + std::to_string(number + 1) + " " + found +
                     "; expected the activations of the same sentences in the same order");
  };
  ActivationBlock block;
  Sentence sentence;
  std::uint64_t number = 0;
  while (number < run.sentence_end()) {
    run.read(number, BlockLimit{}, block);
    for (const Sentence& kept : block.sentences) {
      if (!sentences.next(sentence)) fail(number, "is beyond the end of the data");
      if (!kept.same_tokens(sentence)) fail(number, "has other tokens than the data");
      ++number;
    }
  }
  if (sentences.next(sentence)) fail(number, "of the data is missing");
}

}  // namespace

FeatureStore::FeatureStore(const FeatureFlags& flags, std::filesystem::path folder,
                           const std::atomic<bool>& stop)
    : flags_(flags),
      folder_(std::move(folder)),
      stop_(stop),
      report_(flags.quiet),
      loaded_(load_model(flags.model)) {}

const Bilm& FeatureStore::bilm() {
  if (!bilm_) {
    bilm_.emplace(loaded_.options, std::move(loaded_.parameters), flags_.precision,
                  std::move(loaded_.lexicon));
  }
  return *bilm_;
}

EmbedOptions FeatureStore::embed_options() const {
  EmbedOptions options;
  options.threads = flags_.threads;
  return options;
}

std::unique_ptr<ActivationSource> FeatureStore::open(const std::string& name,
                                                     SentenceSource& sentences) {
  const std::filesystem::path folder = folder_ / name;
  const std::optional<Manifest> manifest = read_manifest(folder);
  if (manifest) check_model(*manifest, folder, loaded_.fingerprint);
  if (!manifest || !manifest->complete()) {
    if (!compute(folder, sentences)) return nullptr;
    return std::make_unique<RunReader>(folder);
  }
  require_all_tokens(*manifest, folder.string());
  auto run = std::make_unique<RunReader>(folder);
  const ActivationLayout expected = activation_layout(loaded_.options, EmbedOptions{});
  if (run->layout().rows != expected.rows || run->layout().width != expected.width) {
    throw InputError(folder.string() + ": found " + layout_text(run->layout()) +
                     ", expected all layers, " + layout_text(expected));
  }
  check_sentences(*run, folder, sentences);
  return run;
}

bool FeatureStore::compute(const std::filesystem::path& folder, SentenceSource& sentences) {
  EmbedOptions options = embed_options();
  options.value_bytes = dtype_bytes(flags_.dtype);
  options.value_limit = dtype_limit(flags_.dtype);
  options.segment_bytes = kScratchShardBytes;
  const ShardFormat format{activation_layout(loaded_.options, options), flags_.dtype,
                           h5::Compression::none, options.boundaries};
  RunFingerprint fingerprint =
      computing_fingerprint(options, flags_.precision, loaded_.options, loaded_.fingerprint);
  fingerprint.emplace_back("input", "sentences of labelled data");
  make_folder(folder_);
  std::optional<ShardRun> opened;
  try {
    opened.emplace(folder, std::move(fingerprint), RunMode::resume, format);
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()) + "; or remove the folder, to compute it anew");
  }
  ShardRun& run = *opened;
  if (!run.warning().empty()) report_.line(run.warning());
  const ResumePoint& point = run.resume_point();
  if (!skip_sentences(sentences, point, &stop_)) return false;
  options.first_sentence = point.next_sentence;

  Progress progress(flags_.quiet);
  const auto show = [&](const EmbedProgress& done) {
    progress.show({static_cast<std::uint64_t>(done.computed_tokens), std::nullopt,
                   "activations of " + folder.filename().string()});
  };
  const EmbedResult result = embed(bilm(), sentences, run, options, stop_, show);
  progress.clear();
  if (result.completed) {
    report_.line(human_count(result.progress.tokens, "token") + " embedded into " +
                 folder.string());
  }
  return result.completed;
}

}  // namespace elmo

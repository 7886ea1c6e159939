#include "io/engine/mix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/engine/run_settings.h"
#include "io/files/paths.h"
#include "io/shard/format.h"
#include "io/shard/shard_run.h"
#include "io/tasks/task_description.h"

namespace elmo {
namespace {

// Stored instead of a share of 0: its logarithm is finite, and it is too small to change a sum.
constexpr float kMinShare = 1e-30F;

ShardFormat format_of(const MixRequest& request, const RunRows& rows) {
  ShardFormat format;
  format.layout = rows.layout();
  format.dtype = request.dtype.value_or(rows.manifest().dtype);
  format.compression = request.compression;
  format.boundaries = rows.mixing().boundaries;
  RunSettings settings = run_settings(rows.manifest(), request.run);
  settings.embed.layers = LayerSelection::mix;
  settings.embed.mix_weights = rows.mixing().mix_weights;
  settings.embed.gamma = rows.mixing().gamma;
  settings.embed.layer_norm = rows.mixing().layer_norm;
  format.options = settings_text(settings);
  return format;
}

/// Returns the provenance of the run with the components that mixing changes. Leaves out those
/// that ShardRun adds.
Provenance mixed_provenance(const RunRows& rows) {
  using namespace shard_format;
  Provenance provenance;
  for (const auto& [name, value] : rows.manifest().provenance) {
    if (name == kLayout || name == kDtype || name == kCompression || name == kBoundaries) continue;
    if (name == "shard_size") continue;
    provenance.emplace_back(name,
                            name == "selected_layers" ? selected_layers(rows.mixing()) : value);
  }
  provenance.emplace_back(
      kMixedFrom, std::string(kDtypes.word(rows.manifest().dtype)) + " shards of all layers");
  return provenance;
}

/// Returns the shards of the run, without the empty ones of parts that had no sentence.
std::vector<ShardEntry> shards_to_mix(const Manifest& run) {
  std::vector<ShardEntry> shards = run.shards;
  std::erase_if(shards, [](const ShardEntry& shard) { return shard.sentences == 0; });
  // Every run has at least one shard.
  if (shards.empty() && !run.shards.empty()) shards.push_back(run.shards.front());
  return shards;
}

/// True if `mixed` has the sentences of `shard`. InputHash cannot decide this: in a merged run, it
/// restarts with each part.
bool has_sentences_of(const ShardEntry& mixed, const ShardEntry& shard) {
  const auto same = [&](ColumnId column) {
    const auto values = [&](const ShardEntry& entry) {
      const auto found = entry.checksums.find(path_of(column));
      return found == entry.checksums.end() ? std::string() : found->second;
    };
    return values(mixed) == values(shard);
  };
  return mixed.first_sentence == shard.first_sentence && mixed.sentences == shard.sentences &&
         same(ColumnId::offsets) && same(ColumnId::tokens) && same(ColumnId::spans);
}

/// Returns how many of the shards are already mixed.
std::size_t mixed_shards(const MixRequest& request, const std::vector<ShardEntry>& shards,
                         const ShardRun& to) {
  const std::vector<ShardEntry>& mixed = to.manifest().shards;
  const bool same = mixed.size() <= shards.size() &&
                    std::equal(mixed.begin(), mixed.end(), shards.begin(), has_sentences_of) &&
                    (!to.resume_point().complete || mixed.size() == shards.size());
  if (!same) {
    throw InputError(
        request.run + ": is not the run that " + request.output + " was begun with; give that one",
        Remedy{"begin_anew"});
  }
  return mixed.size();
}

/// Throws InputError if a value that a run stores is not finite, which `embed` never writes.
void require_finite(std::span<const float> values, const std::string& run) {
  if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return;
  throw InputError(run +
                   ": an activation is not finite; expected finite ones: `elmo verify` names "
                   "the damaged file");
}

}  // namespace

LayerMixing layer_mixing(EmbedOptions options, const TaskMixRequest& request) {
  LayerMixing mixing{std::move(options), request.task, {}, {}};
  if (request.task.empty()) return mixing;
  const TaskDescription task = read_task_description(request.task);
  if (task.mixes.empty()) {
    throw InputError(
        request.task +
        (task.options.concatenates()
             ? ": a task model that takes all layers side by side; expected one with a "
               "mixture"
             : ": a task model without a mixture; expected one that takes the layers of "
               "a biLM at its input or output"));
  }
  if (request.place.empty() && task.mixes.size() > 1) {
    throw RequestError(request.task +
                       " has a mixture at its input and one at its output; choose one with " +
                       Setting{"place"});
  }
  const auto found = request.place.empty()
                         ? task.mixes.begin()
                         : std::ranges::find(task.mixes, request.place, &LearnedMix::place);
  if (found == task.mixes.end()) {
    throw RequestError(request.task + " has no mixture at its " + request.place + "; expected " +
                       Setting{"place"} + " " + task.mixes.front().place);
  }
  mixing.options.layers = LayerSelection::mix;
  mixing.options.mix_weights.clear();
  for (const float share : found->shares) {
    mixing.options.mix_weights.push_back(std::log(std::max(share, kMinShare)));
  }
  mixing.options.gamma = found->gamma;
  mixing.options.layer_norm = task.options.mix.layer_norm;
  mixing.bilm = task.bilm;
  mixing.bilm_words = bilm_words(task);
  return mixing;
}

void check_bilm(const LayerMixing& mixing, const Message& what, const std::string& model) {
  if (mixing.task.empty() || mixing.bilm == model) return;
  throw InputError(what + ": activations of the model " + model + ", but the mixture of " +
                   mixing.task + " is for the model " + mixing.bilm_words +
                   "; expected the same model");
}

Message published_text(std::uint64_t shards) {
  return human_count(shards, "shard") + " published; repeat the command with " + Setting{"resume"} +
         " to continue";
}

RunRows::RunRows(const std::string& run, const std::optional<LayerMixing>& mixing)
    : from_(run), layout_(from_.layout()) {
  require_complete(manifest(), run);
  if (!mixing) return;
  require_all_tokens(manifest(), run);
  if (layout_.row_count() < 3) {
    throw InputError(run + ": has " + layout_text(layout_) +
                     "; expected all layers, as embed writes without " + Setting{"layers"});
  }
  check_bilm(*mixing, run, component(manifest().provenance, "model"));
  mixing_ = mixing->options;
  mixing_.boundaries = keeps_boundaries(manifest(), run);
  const auto layers = static_cast<std::size_t>(layout_.row_count() / 2 + 1);
  if (!mixing_.mix_weights.empty() && mixing_.mix_weights.size() != layers) {
    throw RequestError("found " + human_count(mixing_.mix_weights.size(), "weight") +
                       "; expected " + std::to_string(layers) + ", one for each layer of " + run +
                       ", the token layer included");
  }
  if (!mixed()) return;
  weights_ = layer_weights(layers, mixing_);
  layout_ = {{std::string(kLayerSelections.word(mixing_.layers))}, 2 * layout_.width};
}

bool RunRows::hand_over(std::uint64_t begin, std::uint64_t end, ActivationSink& sink, Dtype dtype,
                        const std::string& output, RunListener& listener,
                        const std::atomic<bool>& stop) {
  const float limit = format_of(dtype).limit;
  const auto report = [&](std::uint64_t next) {
    const double fraction = static_cast<double>(next) / static_cast<double>(sentences());
    listener.progressed({handed_over_, fraction, output}, 0);
  };
  for (std::uint64_t next = begin; next < end;) {
    if (stop) return false;
    report(next);
    from_.read(next, BlockLimit{}, block_);
    if (mixed()) mix_sentences(block_.view(), from_.layout(), weights_, mixed_);
    ActivationBatch batch = block_.view();
    if (mixed()) batch.activations = mixed_;
    const std::size_t in_range = first_out_of_range(batch.activations, limit);
    if (in_range < batch.activations.size()) {
      require_finite(block_.activations, from_.folder().string());
      refuse_value(batch, layout_, in_range, limit);
    }
    sink.write(batch);
    next += block_.sentences.size();
    handed_over_ += batch.token_count();
  }
  return true;
}

MixOutcome run_mix(const MixRequest& request, RunListener& listener,
                   const std::atomic<bool>& stop) {
  require_other_folder(request.output, request.run);
  LayerMixing mixing = layer_mixing(request.mixing, request.task);
  mixing.options.layers = LayerSelection::mix;
  RunRows rows(request.run, mixing);
  const ShardFormat format = format_of(request, rows);
  ShardRun to(request.output, mixed_provenance(rows), request.mode, format);
  listener.note(to.warning());
  const std::vector<ShardEntry> shards = shards_to_mix(rows.manifest());
  const std::size_t mixed = mixed_shards(request, shards, to);
  std::uint64_t earlier_tokens = 0;
  for (std::size_t number = 0; number < mixed; ++number) earlier_tokens += shards[number].tokens;
  bool stopped = false;
  try {
    for (std::size_t number = mixed; number < shards.size(); ++number) {
      const ShardEntry& shard = shards[number];
      stopped = !rows.hand_over(shard.first_sentence, shard.next_sentence(), to, format.dtype,
                                shard.file, listener, stop);
      if (stopped) break;
      to.end_segment({shard.next_sentence(), {}, shard.truncated_tokens, shard.unknown_tokens});
    }
    if (!stopped && !to.manifest().complete()) to.finish();
  } catch (const SystemError& error) {
    throw SystemError(error.message() + "\n" + published_text(to.manifest().shards.size()));
  }
  listener.progress_ended();
  return {stopped, to.manifest().shards.size(), earlier_tokens + rows.handed_over(),
          earlier_tokens};
}

}  // namespace elmo

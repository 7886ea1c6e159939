#include "io/engine/mixing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/human.h"
#include "io/engine/run_settings.h"
#include "io/labeled/task_description.h"

namespace elmo {
namespace {

// Stored instead of a share of 0: its logarithm is finite, and it is too small to change a sum.
constexpr float kMinShare = 1e-30F;

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
                       Setting::place);
  }
  const auto found = request.place.empty()
                         ? task.mixes.begin()
                         : std::ranges::find(task.mixes, request.place, &LearnedMix::place);
  if (found == task.mixes.end()) {
    throw RequestError(request.task + " has no mixture at its " + request.place + "; expected " +
                       Setting::place + " " + task.mixes.front().place);
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
  return human_count(shards, "shard") + " published; repeat the command with " + Setting::resume +
         " to continue";
}

RunRows::RunRows(const std::string& run, const std::optional<LayerMixing>& mixing)
    : from_(run), layout_(from_.layout()) {
  require_complete(manifest(), run);
  if (!mixing) return;
  require_all_tokens(manifest(), run);
  if (layout_.row_count() < 3) {
    throw InputError(run + ": has " + layout_text(layout_) +
                     "; expected all layers, as embed writes without " + Setting::layers);
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

namespace {

/// Throws InputError if a value that a run stores is not finite, which `embed` never writes.
void require_finite(std::span<const float> values, const std::string& run) {
  if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return;
  throw InputError(run +
                   ": an activation is not finite; expected finite ones: `elmo verify` names "
                   "the damaged file");
}

}  // namespace

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

}  // namespace elmo

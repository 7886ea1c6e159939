#include "cli/common/run_rows.h"

#include <cstddef>

#include "cli/common/run_fingerprint.h"
#include "cli/common/run_settings.h"
#include "core/error.h"
#include "core/inference/activations.h"

namespace elmo {

RunRows::RunRows(const std::string& run, const std::optional<LayerMixing>& mixing)
    : from_(run), layout_(from_.layout()) {
  if (!manifest().complete()) {
    throw InputError(run + ": the run has not ended; continue it with " + command_of(manifest()) +
                     " --resume");
  }
  if (!mixing) return;
  require_all_tokens(manifest(), run);
  if (layout_.row_count() < 3) {
    throw InputError(run + ": has " + layout_text(layout_) +
                     "; expected all layers, as embed writes without --layers");
  }
  mixing_ = mixing_of_run(manifest(), run, *mixing);
  if (!mixed()) return;
  weights_ = layer_weights(static_cast<std::size_t>(layout_.row_count() / 2 + 1), mixing_);
  layout_ = {{std::string(kLayerSelections.word(mixing_.layers))}, 2 * layout_.width};
}

bool RunRows::hand_over(std::uint64_t begin, std::uint64_t end, ActivationSink& sink, Dtype dtype,
                        const std::string& output, RunListener& listener,
                        const std::atomic<bool>& stop) {
  const float limit = dtype_limit(dtype);
  const auto report = [&](std::uint64_t next) {
    const double fraction = static_cast<double>(next) / static_cast<double>(sentences());
    listener.progressed({handed_over_, fraction, output}, 0);
  };
  for (std::uint64_t next = begin; next < end;) {
    if (stop) return false;
    report(next);
    from_.read(next, BlockLimit{}, block_);
    if (mixed()) mix_sentences(block_.view(), from_.layout(), weights_, mixed_);
    const ActivationBatch batch{next, block_.sentences, mixed() ? mixed_ : block_.activations};
    const std::size_t in_range = first_out_of_range(batch.activations, limit);
    if (in_range < batch.activations.size()) refuse_value(batch, layout_, in_range, limit);
    sink.write(batch);
    next += block_.sentences.size();
    handed_over_ += batch.token_count();
  }
  return true;
}

}  // namespace elmo

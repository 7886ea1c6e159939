#include "core/model/bilm.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/kernels/product.h"
#include "core/resources.h"
#include "core/text.h"
#include "core/workers.h"

namespace elmo {

Bilm::Bilm(const ModelOptions& options, StoredParameters parameters, Precision precision,
           Lexicon lexicon)
    : options_(options), precision_(precision) {
  require_supported(precision);
  // Each part packs different parameters, so the parts can run in parallel.
  const auto layers = static_cast<std::size_t>(options.lstm.n_layers);
  std::vector<std::optional<LstmLayer>> packed(2 * layers);
  const std::size_t parts = packed.size() + 1;
  Workers workers(std::min(available_threads(), static_cast<int>(parts)));
  workers.run(parts, [&](std::size_t i) {
    if (i == packed.size()) {
      encoder_.emplace(options, std::move(lexicon), parameters, precision);
    } else {
      packed[i].emplace(options.lstm, parameters, static_cast<int>(i / layers),
                        static_cast<std::int64_t>(i % layers), precision);
    }
  });
  for (std::size_t direction = 0; direction < 2; ++direction) {
    std::vector<LstmLayer> own;
    for (std::size_t layer = 0; layer < layers; ++layer) {
      own.push_back(*std::move(packed[direction * layers + layer]));
    }
    lstms_.emplace_back(options.lstm, static_cast<int>(direction), std::move(own));
  }
}

namespace {

// Reads `vectors` [n, P] as one lane that continues from `state`, and updates `state`.
void advance(const Bilm& model, int direction, std::span<const float> vectors, LstmState& state) {
  const auto width = static_cast<std::size_t>(model.options().lstm.projection_dim);
  const auto row = static_cast<std::size_t>(model.options().activation_rows()) * width;
  const std::size_t count = vectors.size() / width;
  AlignedVector<float> activations(count * row);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(vectors.data() + i * width, width, activations.data() + i * row);
  }
  const std::vector<std::vector<SentenceRows>> lane{{{0, static_cast<std::uint32_t>(count)}}};
  LstmWorkspace workspace;
  RunMonitor monitor;
  const LstmState start = state;
  model.lstm(direction).run(schedule_lanes(lane, direction == 1, true), activations.data(), start,
                            &state, workspace, monitor);
}

}  // namespace

std::string_view warm_text() {
  return "The library opens at nine in the morning . People come to read , to work and to meet . "
         "In winter it closes early , because few of them stay after dark . \" Will you be here "
         "tomorrow ? \" she asked . He said that he would , if the trains were running again .";
}

std::vector<std::string_view> warm_tokens() { return split(warm_text(), ' '); }

StartStates zero_states(const Bilm& model) {
  return {LstmState::zero(model.options().lstm, 1), LstmState::zero(model.options().lstm, 1)};
}

StartStates warm_states(const Bilm& model) {
  const std::vector<std::string_view> tokens = warm_tokens();
  const TokenEncoder& encoder = model.encoder();
  const auto width = static_cast<std::size_t>(model.options().lstm.projection_dim);
  std::vector<float> vectors((tokens.size() + 2) * width);
  EncoderWorkspace workspace;
  std::copy_n(encoder.begin_sentence().data(), width, vectors.begin());
  encoder.encode(tokens, vectors.data() + width, workspace);
  std::copy_n(encoder.end_sentence().data(), width,
              vectors.end() - static_cast<std::ptrdiff_t>(width));
  StartStates states = zero_states(model);
  for (const int direction : {0, 1}) {
    advance(model, direction, vectors, states[static_cast<std::size_t>(direction)]);
  }
  return states;
}

StartStates after_boundary(const Bilm& model, const StartStates& start) {
  StartStates states = start;
  advance(model, 0, model.encoder().begin_sentence(), states[0]);
  advance(model, 1, model.encoder().end_sentence(), states[1]);
  return states;
}

}  // namespace elmo

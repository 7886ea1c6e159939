#include "core/inference/memory_plan.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/inference/output_layers.h"
#include "core/kernels/convolution.h"
#include "core/model/lane_schedule.h"
#include "core/model/lstm.h"
#include "core/model/token_encoder.h"
#include "core/resources.h"
#include "core/workers.h"

namespace elmo {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

// Size of the activations of one batch: enough tokens for all lanes to be longer than most
// sentences. Larger batches compute no faster, and the system takes longer to provide their memory.
constexpr std::uint64_t kBatchBytes = 200 * kMebibyte;
constexpr std::size_t kMaxBatchTokens = 20480;

// Bytes for the text, span and row numbers of a token.
constexpr std::uint64_t kTextBytesPerToken = 96;

std::uint64_t bytes_of(std::int64_t values) {
  return static_cast<std::uint64_t>(values) * sizeof(float);
}

std::size_t usual_batch_tokens(const ModelOptions& model) {
  const std::uint64_t row = bytes_of(model.activation_rows() * model.lstm.projection_dim);
  return std::clamp(static_cast<std::size_t>(kBatchBytes / row), kMinBatchTokens, kMaxBatchTokens);
}

std::size_t usual_in_flight(const EmbedOptions& options, const Resources& resources) {
  // With carried state, a batch starts from the final state of the previous batch.
  if (options.initial_state == InitialState::carry) return 1;
  return static_cast<std::size_t>((resources.workers + 1) / 2) + 1;
}

[[noreturn]] void refuse(std::uint64_t found, std::uint64_t needed) {
  throw RequestError(Setting{"memory"} + ": found " + std::to_string(found / kMebibyte) +
                     " MiB for batches in progress; expected at least " +
                     std::to_string((needed + kMebibyte - 1) / kMebibyte) +
                     " MiB with this model, these layers and this many threads and lanes; allow "
                     "more, or compute with fewer threads or lanes or smaller batches");
}

}  // namespace

std::uint64_t batch_bytes_per_token(const ModelOptions& model, const EmbedOptions& options) {
  const std::int64_t width = model.lstm.projection_dim;
  const std::uint64_t activations = bytes_of(model.activation_rows() * width);
  // If all layers are output, rows stay in the memory they were computed in; see
  // OutputLayers::apply.
  const bool as_computed = options.layers == LayerSelection::all;
  const ActivationLayout layout = activation_layout(model, options);
  const std::uint64_t selected = as_computed ? 0 : bytes_of(layout.values_per_token());
  // The vectors of distinct tokens are freed before output rows are selected.
  const std::uint64_t vector = bytes_of(width);
  return activations + std::max(selected, vector) + kTextBytesPerToken;
}

std::uint64_t workspace_bytes(const ModelOptions& model) {
  const LstmOptions& lstm = model.lstm;
  const auto lanes = static_cast<std::int64_t>(kMaxLanes);
  const auto tokens = static_cast<std::int64_t>(kEncoderTokens);
  // The sums of the four gates, h, c, and the projection's input.
  std::uint64_t bytes =
      bytes_of(4 * kLstmRows * lstm.dim + lanes * (2 * lstm.dim + 2 * lstm.projection_dim));
  if (model.has_words() && model.has_projection()) {
    bytes += bytes_of(tokens * (model.token_width() + lstm.projection_dim));
  }
  if (model.char_cnn) {
    const CharCnnOptions& cnn = *model.char_cnn;
    std::int64_t widest_bank = 0;
    std::int64_t weights = 0;
    for (const CharFilter& filter : cnn.filters) {
      widest_bank = std::max(widest_bank, filter.count);
      weights += filter.width * cnn.embedding_dim * filter.count;
    }
    // Convolutions keep a copy of their weights for each length of tokens.
    bytes += bytes_of(block_count(cnn.max_characters_per_token, kTokenLengthStep) * weights);
    bytes += bytes_of(kConvolutionTokens * cnn.max_characters_per_token *
                      (cnn.embedding_dim + widest_bank));
    bytes += bytes_of(tokens * (3 * cnn.filter_count() + lstm.projection_dim));
  }
  return bytes;
}

std::uint64_t carried_bytes(const ModelOptions& model, const EmbedOptions& options) {
  if (options.initial_state != InitialState::carry) return 0;
  const LstmOptions& lstm = model.lstm;
  // Twice: as the lanes' state, and as what is stored with each segment.
  return 2 * static_cast<std::uint64_t>(options.lanes) *
         bytes_of(2 * lstm.n_layers * (lstm.dim + lstm.projection_dim));
}

MemoryPlan plan_memory(const ModelOptions& model, const EmbedOptions& options,
                       const Resources& resources) {
  const std::uint64_t budget =
      resources.memory_bytes > 0 ? resources.memory_bytes : available_memory() / 2;
  MemoryPlan plan;
  plan.batch_tokens =
      resources.batch_tokens > 0 ? resources.batch_tokens : usual_batch_tokens(model);
  plan.max_in_flight = usual_in_flight(options, resources);

  const std::uint64_t token = batch_bytes_per_token(model, options);
  const std::uint64_t beside =
      static_cast<std::uint64_t>(resources.threads) * workspace_bytes(model) +
      carried_bytes(model, options);
  const std::size_t least = resources.batch_tokens > 0
                                ? resources.batch_tokens
                                : std::min(plan.batch_tokens, kMinBatchTokens);
  const std::uint64_t needed = beside + least * token;
  if (budget < needed && resources.memory_bytes > 0) refuse(budget, needed);
  const std::uint64_t granted = std::max(budget, needed);
  plan.cache_bytes = static_cast<std::size_t>(
      std::min({std::uint64_t{resources.encoder_cache_bytes}, granted / 8, granted - needed}));
  const std::uint64_t tokens = (granted - beside - plan.cache_bytes) / token;  // of all batches
  if (resources.batch_tokens == 0) {
    plan.batch_tokens =
        std::clamp(static_cast<std::size_t>(tokens / plan.max_in_flight), least, plan.batch_tokens);
  }
  plan.max_in_flight = std::clamp(static_cast<std::size_t>(tokens / plan.batch_tokens),
                                  std::size_t{1}, plan.max_in_flight);
  return plan;
}

}  // namespace elmo

#include "core/model/bilm.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/kernels/precision.h"
#include "core/kernels/precision_support.h"
#include "core/model/char_encoder.h"
#include "core/model/lstm.h"
#include "core/model/word_encoder.h"
#include "core/parallel/resources.h"
#include "core/parallel/worker_pool.h"

namespace elmo {

namespace {

std::unique_ptr<const TokenEncoder> make_encoder(const ModelOptions& options,
                                                 StoredParameters& parameters, Precision precision,
                                                 Lexicon&& lexicon) {
  if (options.has_words() && !lexicon.words) {
    throw RequestError("this is a word-level model, and its vocabulary is not known",
                       Remedy::give_vocabulary);
  }
  if (!options.char_cnn) {
    return std::make_unique<const WordEncoder>(options, *std::move(lexicon.words), parameters,
                                               precision);
  }
  if (options.char_cnn->dictionary_size > 0 && !lexicon.characters) {
    throw RequestError("the dictionary of this model's characters is not known");
  }
  return std::make_unique<const CharEncoder>(options, std::move(lexicon), parameters, precision);
}

}  // namespace

struct Bilm::Parts {
  ModelOptions options;
  Precision precision;
  std::unique_ptr<const TokenEncoder> encoder;
  LstmStack forward;
  LstmStack backward;
};

Bilm::Bilm(const ModelOptions& options, StoredParameters parameters, Precision precision,
           Lexicon lexicon) {
  require_supported(precision);
  // Each part packs different parameters, so the parts can pack in parallel.
  const auto layers = static_cast<std::size_t>(options.lstm.n_layers);
  std::unique_ptr<const TokenEncoder> encoder;
  std::vector<std::optional<LstmLayer>> packed(2 * layers);
  std::vector<WorkerPool::Job> jobs;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    jobs.emplace_back([&, i](int) {
      packed[i].emplace(options.lstm, parameters, static_cast<int>(i / layers),
                        static_cast<std::int64_t>(i % layers), precision);
    });
  }
  jobs.emplace_back(
      [&](int) { encoder = make_encoder(options, parameters, precision, std::move(lexicon)); });
  WorkerPool pool(std::min(available_threads(), static_cast<int>(jobs.size())), 1);
  run_all(pool, jobs);
  const auto stack = [&](std::size_t direction) {
    std::vector<LstmLayer> own;
    for (std::size_t layer = 0; layer < layers; ++layer) {
      own.push_back(*std::move(packed[direction * layers + layer]));
    }
    return LstmStack(options.lstm, static_cast<int>(direction), std::move(own));
  };
  parts_ = std::make_unique<const Parts>(
      Parts{options, precision, std::move(encoder), stack(0), stack(1)});
}

Bilm::~Bilm() = default;
Bilm::Bilm(Bilm&&) noexcept = default;
Bilm& Bilm::operator=(Bilm&&) noexcept = default;

const ModelOptions& Bilm::options() const { return parts_->options; }
Precision Bilm::precision() const { return parts_->precision; }
const TokenEncoder& Bilm::encoder() const { return *parts_->encoder; }
const LstmStack& Bilm::lstm(int direction) const {
  return direction == 0 ? parts_->forward : parts_->backward;
}

}  // namespace elmo

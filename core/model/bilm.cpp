#include "core/model/bilm.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/kernels/precision_support.h"
#include "core/model/char_encoder.h"
#include "core/model/lstm.h"
#include "core/model/word_encoder.h"
#include "core/parallel/worker_pool.h"

namespace elmo {

namespace {

std::unique_ptr<const TokenEncoder> make_encoder(const ModelOptions& options,
                                                 Parameters& parameters, Precision precision,
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

Bilm::Bilm(const ModelOptions& options, Parameters&& parameters, Precision precision,
           Lexicon lexicon) {
  require_supported(precision);
  // Each part packs parameters of its own, so that they can do it side by side.
  Parameters unpacked = std::move(parameters);
  std::unique_ptr<const TokenEncoder> encoder;
  std::array<std::optional<LstmStack>, 2> lstms;
  const auto pack_lstm = [&](int direction) {
    return [&, direction](int) {
      lstms[static_cast<std::size_t>(direction)].emplace(options.lstm, unpacked, direction,
                                                         precision);
    };
  };
  const std::array<WorkerPool::Job, 3> jobs{
      [&](int) { encoder = make_encoder(options, unpacked, precision, std::move(lexicon)); },
      pack_lstm(0), pack_lstm(1)};
  WorkerPool pool(static_cast<int>(jobs.size()), 1);
  run_all(pool, jobs);
  parts_ = std::make_unique<const Parts>(
      Parts{options, precision, std::move(encoder), std::move(*lstms[0]), std::move(*lstms[1])});
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

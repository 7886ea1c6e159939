#include "core/model/bilm.h"

#include <future>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/model/char_encoder.h"
#include "core/model/lstm.h"
#include "core/model/word_encoder.h"

namespace elmo {

namespace {

std::unique_ptr<const TokenEncoder> make_encoder(const ModelOptions& options,
                                                 Parameters& parameters, Precision precision,
                                                 std::optional<Vocabulary>&& vocabulary) {
  if (options.char_cnn) {
    return std::make_unique<const CharEncoder>(*options.char_cnn, options.lstm.projection_dim,
                                               parameters, precision);
  }
  if (!vocabulary) {
    throw RequestError("this is a word-level model, and its vocabulary is not known",
                       Remedy::give_vocabulary);
  }
  return std::make_unique<const WordEncoder>(std::move(*vocabulary), options.lstm.projection_dim,
                                             parameters);
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
           std::optional<Vocabulary> vocabulary) {
  if (!is_supported(precision)) {
    throw RequestError(
        "this CPU has no instructions for " + std::string(to_string(precision)) + " products",
        Remedy::compute_in_float32);
  }
  // Each part packs parameters of its own, so that they can do it side by side.
  Parameters unpacked = std::move(parameters);
  const auto pack_lstm = [&](int direction) {
    return std::async(std::launch::async, [&, direction] {
      set_threads_of_this_thread(1);
      return LstmStack(options.lstm, unpacked, direction, precision);
    });
  };
  auto forward = pack_lstm(0);
  auto backward = pack_lstm(1);
  auto encoder = std::async(std::launch::async, [&] {
    set_threads_of_this_thread(1);
    return make_encoder(options, unpacked, precision, std::move(vocabulary));
  });
  parts_ = std::make_unique<const Parts>(
      Parts{options, precision, encoder.get(), forward.get(), backward.get()});
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

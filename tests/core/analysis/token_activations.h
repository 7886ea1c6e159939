// Activations of tokens in memory, for tests of code that reads them by token.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/activations.h"

namespace elmo {

/// Tokens without sentences. `layers` is L, `width` P.
class TokenActivations final : public ActivationSource {
 public:
  TokenActivations(std::int64_t layers, std::int64_t width, std::vector<float> values)
      : values_(std::move(values)) {
    layout_.width = width;
    layout_.rows.emplace_back("x");
    for (std::int64_t j = 1; j <= layers; ++j) {
      layout_.rows.push_back("forward_" + std::to_string(j));
      layout_.rows.push_back("backward_" + std::to_string(j));
    }
  }

  const ActivationLayout& layout() const override { return layout_; }
  std::uint64_t sentence_begin() const override { return 0; }
  std::uint64_t sentence_end() const override { return 0; }
  std::uint64_t token_count() const override { return values_.size() / token_values(); }
  TokenRange tokens_of(std::uint64_t) override { throw std::logic_error("no sentences"); }
  void read(std::uint64_t, const BlockLimit&, ActivationBlock&) override {
    throw std::logic_error("no sentences");
  }
  void read_activations(TokenRange tokens, std::span<float> values) override {
    if (tokens.end > token_count() || values.size() != tokens.size() * token_values()) {
      throw std::logic_error("another size");
    }
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(tokens.begin * token_values()),
                values.size(), values.begin());
  }

 private:
  std::size_t token_values() const { return static_cast<std::size_t>(layout_.values_per_token()); }

  ActivationLayout layout_;
  std::vector<float> values_;
};

}  // namespace elmo

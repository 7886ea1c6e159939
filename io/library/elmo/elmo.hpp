// Contextual word vectors (ELMo) of texts in memory, over elmo.h, whose comments also explain the
// settings, arrays and threads. C++20, header only: programs depend on elmo.h's functions alone.
#ifndef ELMO_ELMO_HPP
#define ELMO_ELMO_HPP

#if __cplusplus < 202002L
#error "elmo.hpp needs C++20"
#endif

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "elmo.h"

namespace elmo {

/// The exception of all functions below, unless their comments say otherwise.
class Error : public std::runtime_error {
 public:
  explicit Error(const elmo_error& error)
      : std::runtime_error(error.message), code_(error.code), setting_(error.setting) {}

  int code() const { return code_; }                       ///< of enum elmo_code
  const std::string& setting() const { return setting_; }  ///< name in Settings; empty: none

 private:
  int code_;
  std::string setting_;
};

/// A model and how texts are embedded with it. Texts need not outlive the call that takes them.
using Settings = elmo_settings;

using Span = elmo_span;  ///< bytes begin to end - 1 of a text

namespace detail {

inline void check(elmo_error* error) {
  if (error == nullptr) return;
  const std::unique_ptr<elmo_error, decltype(&elmo_error_free)> owner(error, elmo_error_free);
  throw Error(*error);
}

/// Returns row `row` of vector `number`. std::out_of_range for a number that is too large.
inline std::span<const float> vector_of(const elmo_vectors& vectors, std::size_t number,
                                        std::size_t row) {
  if (number >= vectors.vector_count || row >= vectors.row_count) {
    throw std::out_of_range("elmo: there is no such vector or row");
  }
  return {vectors.values + (number * vectors.row_count + row) * vectors.width, vectors.width};
}

}  // namespace detail

/// A sentence and the vectors of its tokens, which it shares with the Vectors that it is from.
struct Sentence {
  std::vector<std::string> tokens;
  std::vector<Span> spans;  ///< of the tokens, in their text
  std::size_t text = 0;     ///< number of the text

  /// Returns row `row` of a token's vector, W numbers. std::out_of_range for a number that is too
  /// large, and for pooled vectors.
  std::span<const float> vector(std::size_t token, std::size_t row = 0) const {
    const bool by_token = token < tokens.size() && !pooled;
    return detail::vector_of(*all, by_token ? first_token + token : all->vector_count, row);
  }

  std::shared_ptr<const elmo_vectors> all;
  std::size_t first_token = 0;  ///< number of its first token in `all`
  bool pooled = false;          ///< the vectors are not those of tokens
};

/// The sentences of texts and their vectors. Copies share the vectors.
class Vectors {
 public:
  /// Takes the vectors over.
  explicit Vectors(elmo_vectors* vectors, bool pooled = false) : all_(vectors, elmo_vectors_free) {
    for (std::size_t text = 0; text < all_->text_count; ++text) {
      for (auto s = all_->text_begins[text]; s < all_->text_begins[text + 1]; ++s) {
        const std::size_t begin = all_->sentence_begins[s];
        const std::size_t end = all_->sentence_begins[s + 1];
        sentences_.push_back({{all_->tokens + begin, all_->tokens + end},
                              {all_->spans + begin, all_->spans + end},
                              text,
                              all_,
                              begin,
                              pooled});
      }
    }
  }

  const std::vector<Sentence>& sentences() const { return sentences_; }
  auto begin() const { return sentences_.begin(); }
  auto end() const { return sentences_.end(); }
  std::size_t size() const { return sentences_.size(); }
  const Sentence& operator[](std::size_t sentence) const { return sentences_[sentence]; }

  /// Returns row `row` of vector `number`: of a token, counted over all sentences, or, pooled, of a
  /// sentence or a text. std::out_of_range for a number that is too large.
  std::span<const float> vector(std::size_t number, std::size_t row = 0) const {
    return detail::vector_of(*all_, number, row);
  }

  /// The arrays of all sentences. They live as long as this, its copies and its sentences.
  const elmo_vectors& arrays() const { return *all_; }

 private:
  std::shared_ptr<const elmo_vectors> all_;
  std::vector<Sentence> sentences_;
};

/// A model. Movable. Threads may share it.
class Model {
 public:
  /// Opens the model.
  explicit Model(const Settings& settings = {}) : pooled_(settings.pool != nullptr) {
    elmo_model* opened = nullptr;
    detail::check(elmo_open(&settings, &opened));
    model_.reset(opened);
  }

  /// Embeds one text, or several.
  Vectors embed(std::string_view text) const { return run(elmo_embed, {text}); }
  Vectors embed(std::initializer_list<std::string_view> texts) const {
    return run(elmo_embed, texts);
  }
  Vectors embed(const std::vector<std::string>& texts) const {
    return run(elmo_embed, {texts.begin(), texts.end()});
  }

  /// Finds the sentences and tokens of one text, or of several, without vectors.
  Vectors tokenize(std::string_view text) const { return run(elmo_tokenize, {text}); }
  Vectors tokenize(std::initializer_list<std::string_view> texts) const {
    return run(elmo_tokenize, texts);
  }
  Vectors tokenize(const std::vector<std::string>& texts) const {
    return run(elmo_tokenize, {texts.begin(), texts.end()});
  }

  /// Embeds sentences whose tokens are given.
  Vectors embed_tokens(const std::vector<std::vector<std::string>>& sentences) const {
    std::vector<elmo_text> tokens;
    std::vector<std::size_t> sizes;
    for (const std::vector<std::string>& sentence : sentences) {
      sizes.push_back(sentence.size());
      for (const std::string& token : sentence) tokens.push_back({token.data(), token.size()});
    }
    elmo_vectors* vectors = nullptr;
    detail::check(
        elmo_embed_tokens(model_.get(), tokens.data(), sizes.data(), sizes.size(), &vectors));
    return Vectors(vectors, pooled_);
  }

  /// The description, which lives as long as the model.
  const elmo_description& describe() const { return *elmo_describe(model_.get()); }

 private:
  struct Close {
    void operator()(elmo_model* model) const { elmo_close(model); }
  };

  Vectors run(decltype(&elmo_embed) function, const std::vector<std::string_view>& texts) const {
    std::vector<elmo_text> views;
    for (const std::string_view text : texts) views.push_back({text.data(), text.size()});
    elmo_vectors* vectors = nullptr;
    detail::check(function(model_.get(), views.data(), views.size(), &vectors));
    return Vectors(vectors, pooled_);
  }

  std::unique_ptr<elmo_model, Close> model_;
  bool pooled_;
};

/// The version of the library, such as "1.0.0".
inline std::string version() { return elmo_version(); }

}  // namespace elmo

#endif

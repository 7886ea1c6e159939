// A model with the softmax that it was trained with, and a text that it predicts.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/inference/word_prediction.h"
#include "core/kernels/precision.h"
#include "core/model/bilm.h"
#include "core/model/parameters.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/text/input/input_options.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// A model that can predict words. Immutable; any thread.
struct PredictingModel {
  LoadedModel loaded;  ///< without its parameters, which `bilm` has
  TokenizerSettings tokenizer;
  SoftmaxLayer softmax;
  Bilm bilm;
};

/// Reads a model and its softmax. InputError for a model without a softmax; other errors as
/// open_model.
PredictingModel open_predicting_model(const ModelSpec& spec, const TokenizerRequest& tokenizer,
                                      Precision precision);

/// A text, and how to predict it.
struct WordPredictionRequest {
  InputOptions input;
  ModelSpec model;  ///< must have a softmax
  WordPredictionOptions options;
  Precision precision = Precision::float32;
};

/// A text of at least one token that was predicted.
struct PredictedText {
  EmbedProgress done;
  std::uint64_t vocabulary = 0;     ///< words of the softmax
  std::uint64_t cut_sentences = 0;  ///< longer than kDefaultMaxSentenceTokens
  InputCounters input;
  std::chrono::duration<double> time{};
};

/// Predicts the whole text and calls `predicted` with each sentence. `through` wraps the bytes of
/// each file, if given. Errors: InputError for a text without tokens; otherwise as
/// open_predicting_model, open_source and predict_words.
PredictedText predict_text(const WordPredictionRequest& request, RunListener& listener,
                           const PredictionListener& predicted, const BytesThrough& through = {});

/// Notes how many tokens are not among the words of the vocabulary.
void note_unknown(RunListener& listener, std::uint64_t unknown, std::uint64_t vocabulary);

/// Notes what was cut or repaired in the text, and the speed.
void note_predicted(RunListener& listener, const PredictedText& text);

struct PerplexitySummary {
  PerplexityResult result;
  PredictedText text;
};

/// Predicts the whole text. NumericError for a perplexity that is infinite; other errors as
/// predict_text.
PerplexitySummary run_perplexity(const WordPredictionRequest& request, RunListener& listener);

}  // namespace elmo

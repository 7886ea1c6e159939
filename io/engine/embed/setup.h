// Input, model and options of an embed run, from its request.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/inference/activations.h"
#include "core/inference/embed.h"
#include "core/model/bilm.h"
#include "io/engine/embed/request.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/provenance.h"
#include "io/shard/shard_file.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// The model that was opened, packed for computing.
struct EmbedModel {
  ModelSpec spec;         ///< `model` is not kAutoModel
  std::string installed;  ///< the installed model's name; empty if files were named
  Message choice;         ///< the chosen model, and why; empty if one was named
  std::string fingerprint;
  Bilm bilm;
};

/// The input of a run, its reader, and the model. One thread.
struct EmbedSetup {
  InputOptions reading;  ///< includes the model's tokenizer
  std::unique_ptr<TextSource> input;
  /// Sample of the tokens of `input`; null: all are computed.
  std::unique_ptr<SentenceSource> sample;
  EmbedModel model;
  EmbedOptions options;  ///< options of computing, mixture included

  /// The sentences to compute.
  SentenceSource& source() { return sample ? *sample : *input; }
  ActivationLayout layout() const { return activation_layout(model.bilm.options(), options); }
};

/// Loads the model and opens the input, but reads only what choose_model() needs. Notes differences
/// between the tokenizer and the training text's tokenizer. `stop` must outlive the result. Errors:
/// as reading, layer_mixing, choose_model, open_model and Bilm; InputError for a mixture of another
/// model; RequestError if the output would replace the model.
EmbedSetup set_up(const EmbedRequest& request, const std::atomic<bool>& stop,
                  RunListener& listener);

/// Returns the components that decide the contents of a run's shards, except those that ShardRun
/// adds. Errors: as input_sample and describe_tokenizer.
Provenance run_provenance(const EmbedRequest& request, const EmbedSetup& setup);

/// Returns the format of the request's shards.
ShardFormat format_of_shards(const EmbedRequest& request, const EmbedSetup& setup);

/// "ud, locale en"; empty for text in tokens.
std::string tokenizer_words(const InputOptions& input);

}  // namespace elmo

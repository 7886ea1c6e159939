// A model with the settings of embedding, the layers to compare, and a text that is embedded: for
// searching a corpus and for mapping a word in it.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/analysis/neighbors.h"
#include "core/inference/activations.h"
#include "core/inference/embed.h"
#include "core/model/bilm.h"
#include "io/engine/listener.h"
#include "io/engine/neighbors/request.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// A model and how it embeds.
struct Embedder {
  Embedder(Bilm with_model, EmbedOptions with);

  EmbedOptions options;
  Bilm model;
  ActivationLayout layout;
};

/// Returns the layers to compare in activations with this layout: `layer`, or the top layer if it
/// is empty. RequestError if there is no such layer.
NeighborLayers chosen_layers(const ActivationLayout& layout, const std::string& layer);

/// A corpus of text, embedded in one pass. One thread.
class EmbeddedText {
 public:
  /// Opens the text and loads the model. Once `stop` is true, embed_into() returns. All arguments
  /// must outlive it.
  EmbeddedText(const NeighborRequest& request, RunListener& listener,
               const std::atomic<bool>& stop);

  const InputOptions& reading() const { return reading_; }
  const Embedder& embedder() const { return embedder_; }
  /// The sentences, cut at kDefaultMaxSentenceTokens.
  SentenceSource& sentences() { return *text_; }

  /// Embeds the sentences of `source`, which reads sentences(), into `sink`. Reports progress, and
  /// notes what was repaired and cut. Returns false if it was stopped.
  bool embed_into(SentenceSource& source, ActivationSink& sink);

 private:
  RunListener& listener_;
  const std::atomic<bool>& stop_;
  Resources resources_;
  InputOptions reading_;
  std::unique_ptr<TextSource> text_;
  Embedder embedder_;
};

}  // namespace elmo

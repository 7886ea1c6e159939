#include "io/engine/neighbors/corpus.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/text.h"
#include "io/engine/run_layer.h"
#include "io/files/paths.h"

namespace elmo {
namespace {

InputOptions reading_of(const NeighborRequest& request) {
  InputOptions input = request.input;
  input.files = request.corpus;
  input.max_sentence_tokens = kDefaultMaxSentenceTokens;
  return input;
}

/// Opens the model and lets its tokenizer divide the text.
Embedder open_embedder(const NeighborRequest& request, InputOptions& reading, TextSource& text,
                       RunListener& listener) {
  OpenedModel opened = open_model(request.model, request.input.request);
  require_other_file(Setting{"map"}, request.map.file, files_of(opened.location));
  reading.tokenizer = opened.tokenizer;
  text.set_tokenizer(reading.tokenizer);
  note_tokenizer(listener, opened.loaded, reading);
  return {opened.packed(request.precision.value_or(Precision::float32)), {}};
}

}  // namespace

Embedder::Embedder(Bilm with_model, EmbedOptions with)
    : options(std::move(with)),
      model(std::move(with_model)),
      layout(activation_layout(model.options(), options)) {}

NeighborLayers chosen_layers(const ActivationLayout& layout, const std::string& layer) {
  NeighborLayers chosen{chosen_layer(layout, layer), std::nullopt, layout.values_per_token()};
  if (layout.row_count() > 1) chosen.without_context = token_layers(layout).front();
  return chosen;
}

EmbeddedText::EmbeddedText(const NeighborRequest& request, RunListener& listener,
                           const std::atomic<bool>& stop)
    : listener_(listener),
      stop_(stop),
      resources_{.threads = request.threads},
      reading_(reading_of(request)),
      text_(open_source(reading_, {request.map.file, &stop})),
      embedder_(open_embedder(request, reading_, *text_, listener)) {}

bool EmbeddedText::embed_into(SentenceSource& source, ActivationSink& sink) {
  const auto show = [&](const EmbedProgress& done) {
    listener_.progressed(progress_of(*text_, done), 0);
  };
  show({});
  const EmbedResult result = embed({.model = embedder_.model,
                                    .source = source,
                                    .sink = sink,
                                    .options = embedder_.options,
                                    .resources = resources_,
                                    .stop = stop_,
                                    .listener = show});
  listener_.progress_ended();
  if (!result.completed) return false;
  note_input(listener_, text_->counters());
  note_count(
      listener_, text_->cut_sentences(), "sentence",
      "of more than " + human_count(kDefaultMaxSentenceTokens, "token") + ", cut into pieces");
  return true;
}

}  // namespace elmo

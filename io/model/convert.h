// Any model in the form that published files hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "io/model/model.h"

namespace elmo {

/// A model that save_model can write.
struct PublishedModel {
  ModelOptions options;
  Parameters parameters;
  std::optional<Vocabulary> vocabulary;
  std::vector<std::string> losses;  ///< in words, what it does not do as the model it is made of
};

/// A model that is_published() stays what it is. One that reads words alone becomes a table of
/// their projected rows, its boundaries and unknown words named as published ones are, the forget
/// gate's offset taken off the bias. RequestError, with the reason, for any other: characters by a
/// dictionary, and LSTMs that project where D == P, have no place in published files.
PublishedModel to_published(LoadedModel&& model);

/// A word-level model that knows `words` and no other: its table has the vectors that a model of
/// characters, of whichever kind, makes of them (as bilm-tf's dump_token_embeddings does), and for
/// unknown words that of one unknown character. RequestError for a model without characters, and
/// for LSTMs as above.
PublishedModel to_words(LoadedModel&& model, Vocabulary words);

}  // namespace elmo

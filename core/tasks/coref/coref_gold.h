// Gold data of a coreference record besides its numbers.
#pragma once

#include <array>
#include <optional>

#include "core/nn/span_attention.h"
#include "core/tasks/common/task_corpus.h"

namespace elmo {

enum class PronounGender { masculine, feminine };

/// An ambiguous pronoun and two names, one of which it may refer to (GAP, Webster et al. 2018), in
/// tokens of the document.
struct AmbiguousPronoun {
  struct Name {
    RowSpan tokens;
    bool is_meant = false;
  };

  RowSpan pronoun;
  PronounGender gender = PronounGender::masculine;
  std::array<Name, 2> names;
};

/// How a document is scored, and in which units its mentions are written. A record without it came
/// with tokens and is scored by its clusters.
struct CorefGold : TaskGold {
  bool in_bytes = false;  ///< mentions are written in bytes of the text, else in tokens
  std::optional<AmbiguousPronoun> pronoun;  ///< if set, scored instead of clusters
};

}  // namespace elmo

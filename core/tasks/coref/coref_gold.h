// What a record of coreference has beside its numbers.
#pragma once

#include <array>
#include <optional>

#include "core/nn/span_attention.h"
#include "core/tasks/common/task_corpus.h"

namespace elmo {

enum class PronounGender { masculine, feminine };

/// An ambiguous pronoun and two names of which it may mean one (GAP, Webster et al. 2018), in
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

/// How a document is scored, and how its mentions are written. Records without one have tokens that
/// were given, and are scored by their clusters.
struct CorefGold : TaskGold {
  bool in_bytes = false;  ///< mentions are written in bytes of the text, else in tokens
  std::optional<AmbiguousPronoun> pronoun;  ///< is scored in place of clusters
};

}  // namespace elmo

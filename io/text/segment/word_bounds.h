// Where words end, before they are cut: signs that join what is at both their sides.
#pragma once

#include <cstddef>

#include "io/text/segment/chunk.h"
#include "io/text/segment/token_rules.h"

namespace elmo {

/// Returns the position after the word that begins at `at`, with the parts that signs join to it;
/// `at` if no letter or digit is there.
std::size_t word_end(const Chunk& chunk, const TokenRules& rules, std::size_t at);

}  // namespace elmo

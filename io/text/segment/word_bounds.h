// The ends of words before they are cut: signs that join the characters on both sides.
#pragma once

#include <cstddef>

#include "io/text/segment/chunk.h"
#include "io/text/segment/token_rules.h"

namespace elmo {

/// Returns the position after the word that begins at `at`, including parts that signs join to it;
/// `at` if there is no letter or digit.
std::size_t word_end(const Chunk& chunk, const TokenRules& rules, std::size_t at);

}  // namespace elmo

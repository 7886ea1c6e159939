// Tokens and labels of a labeled record, checked.
#pragma once

#include <string>
#include <vector>

#include "core/inference/sentence.h"

namespace elmo {

/// Adds the tokens; their spans are those in a text of them joined by spaces, before what is
/// ill-formed in them is repaired. InputError for an empty one or one with a NUL.
void add_listed_tokens(const std::vector<std::string>& tokens, Sentence& sentence);

/// InputError for a label that is empty or of more than kMaxLabelBytes.
void check_label(const std::string& label);

}  // namespace elmo

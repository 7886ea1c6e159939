// Validated tokens and labels of a labeled record.
#pragma once

#include <string>
#include <vector>

#include "core/inference/sentence.h"

namespace elmo {

/// Appends the tokens to `sentence`. Their spans refer to the tokens joined by spaces, before
/// ill-formed UTF-8 is repaired. InputError for a token that is empty or contains NUL.
void add_listed_tokens(const std::vector<std::string>& tokens, Sentence& sentence);

/// InputError for a label that is empty or longer than kMaxLabelBytes.
void check_label(const std::string& label);

}  // namespace elmo

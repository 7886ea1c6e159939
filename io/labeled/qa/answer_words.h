// Answers as SQuAD compares them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/qa/answer_scores.h"

namespace elmo {

/// The words of an answer (valid UTF-8) as the official scorer of SQuAD 1.1 (evaluate-v1.1.py)
/// normalizes it: in lower case, without ASCII punctuation, without the words "a", "an" and "the",
/// split at white space. Normalized texts are equal where their words are. Any thread.
std::vector<std::string> answer_words(std::string_view answer);

/// How far answers of these words agree: 1 where they are equal, and the F1 of words, each counted
/// as often as both have it; 0 where they have none in common. Any thread.
AnswerAgreement answer_agreement(std::span<const std::string> predicted,
                                 std::span<const std::string> reference);

}  // namespace elmo

// Answers as SQuAD's scorer compares them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/qa/answer_scores.h"

namespace elmo {

/// The words of an answer (valid UTF-8), normalized like SQuAD 1.1's official scorer
/// (evaluate-v1.1.py) does: in lower case, without ASCII punctuation, without the words "a", "an"
/// and "the", split at white space. Normalized texts are equal if their words are. Any thread.
std::vector<std::string> answer_words(std::string_view answer);

/// Agreement of two answers with these words. Exact match is 1 if they are equal. F1 counts each
/// common word as often as both have it, and is 0 without common words. Any thread.
AnswerAgreement answer_agreement(std::span<const std::string> predicted,
                                 std::span<const std::string> reference);

}  // namespace elmo

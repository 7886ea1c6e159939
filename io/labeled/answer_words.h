// Words of answers as SQuAD's scorer compares them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// The words of an answer (valid UTF-8), normalized like SQuAD 1.1's official scorer
/// (evaluate-v1.1.py) does: in lower case, without ASCII punctuation, without the words "a", "an"
/// and "the", split at white space. Normalized texts are equal if their words are. Any thread.
std::vector<std::string> answer_words(std::string_view answer);

}  // namespace elmo

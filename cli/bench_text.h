// The text that `elmo bench` embeds where it is given none.
#pragma once

#include <cstddef>
#include <string>

namespace elmo {

/// At least so many tokens of paragraphs that look like English: made-up words, the frequent ones
/// short, with frequencies as in Zipf's law, in sentences of 6 to 41 tokens. The same on each call.
std::string generated_text(std::size_t tokens);

}  // namespace elmo

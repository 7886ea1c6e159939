// Vocabulary files: UTF-8, one word a line, in the order of the embedding's rows.
#pragma once

#include <string>
#include <string_view>

#include "core/model/vocabulary.h"

namespace elmo {

/// Vocabulary files are no larger than this.
inline constexpr std::size_t kMaxVocabularyBytes = std::size_t{256} << 20;

/// Parses the text of a vocabulary file. White space around a word is no part of it, and lines that
/// say
/// !!!MAXTERMID are none, as in bilm-tf. InputError, beginning with `name`, as Vocabulary's.
Vocabulary parse_vocabulary(std::string_view text, const std::string& name);

/// Whether a line of a vocabulary file can hold the word: parse_vocabulary reads the same.
bool fits_vocabulary_file(std::string_view word);

/// The text of a vocabulary file; parse_vocabulary makes the same of it where all words fit.
std::string vocabulary_text(const Vocabulary& vocabulary);

}  // namespace elmo

// Vocabulary files: UTF-8, one word a line, in the order of the embedding's rows.
#pragma once

#include <string>
#include <string_view>

#include "core/model/vocabulary.h"

namespace elmo {

/// Vocabulary files are no larger than this.
inline constexpr std::size_t kMaxVocabularyBytes = std::size_t{256} << 20;

/// Parses the text of a vocabulary file. White space around a word is no part of it, and lines that
/// say !!!MAXTERMID are none, as in bilm-tf, nor is a byte order mark. Whatever else a published
/// model's file holds is a row of its table. InputError, beginning with `name`, as Vocabulary's.
Vocabulary parse_vocabulary(std::string_view text, const std::string& name);

/// Parses a vocabulary that a model is to be trained with. InputError also for words that no token
/// can be: blank ones and such as are no valid UTF-8.
Vocabulary parse_word_list(std::string_view text, const std::string& name);

/// Whether a line of a vocabulary file can hold the word: parse_vocabulary reads the same.
bool fits_vocabulary_file(std::string_view word);

/// The text of a vocabulary file; parse_vocabulary makes the same of it where all words fit.
std::string vocabulary_text(const Vocabulary& vocabulary);

}  // namespace elmo

// Vocabulary files: UTF-8, one word per line, in the order of the embedding's rows.
#pragma once

#include <string>
#include <string_view>

#include "core/model/vocabulary.h"

namespace elmo {

/// Maximum size of a vocabulary file.
inline constexpr std::size_t kMaxVocabularyBytes = std::size_t{256} << 20;

/// Parses the text of a vocabulary file. As in bilm-tf, white space around words, lines with
/// !!!MAXTERMID and a byte order mark are ignored. Any other line of a published model's file is a
/// row of its table. Words are also found by their canonical form. InputError, beginning with
/// `name`, as Vocabulary's.
Vocabulary parse_vocabulary(std::string_view text, const std::string& name);

/// Parses a vocabulary for training a model. InputError also for words that cannot be tokens: blank
/// ones and invalid UTF-8.
Vocabulary parse_word_list(std::string_view text, const std::string& name);

/// True if a line of a vocabulary file can hold the word, so that parse_vocabulary reads it back.
bool fits_vocabulary_file(std::string_view word);

/// Returns the text of a vocabulary file. If all words fit, parse_vocabulary reads the same
/// vocabulary.
std::string vocabulary_text(const Vocabulary& vocabulary);

}  // namespace elmo

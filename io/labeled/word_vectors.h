// Word vectors in the text format of GloVe and word2vec.
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/common/word_vocabulary.h"
#include "core/tensor/aligned.h"

namespace elmo {

struct WordVectors {
  WordVocabulary words;  ///< none of them rare
  std::int64_t columns = 0;
  AlignedVector<float> values;  ///< [rows, columns]; row 0, of all other words, is the mean
};

/// Reads a word and its numbers a line, separated by single spaces, in UTF-8; of a word that stands
/// there twice, the first. A first line of two whole numbers, as word2vec writes it, is passed
/// over. Decompressed where the file begins like gzip, zstd, xz or bzip2. InputError, naming file
/// and line, for a line of another number of numbers than the first and for what is no finite
/// number, and where there is no word at all; InputError or SystemError where the file cannot be
/// opened.
WordVectors read_word_vectors(const std::string& path);

}  // namespace elmo

// Word vectors in the text format of GloVe and word2vec.
#pragma once

#include <cstdint>
#include <string>

#include "core/matrix.h"
#include "core/tasks/common/token_vectors.h"

namespace elmo {

/// Vectors of words, as GloVe and word2vec publish them.
struct WordVectors {
  WordVocabulary words;  ///< without rare words
  std::int64_t columns = 0;
  AlignedVector<float> values;  ///< [rows, columns]; row 0, for unknown words, is the mean
};

/// Reads one word with its numbers per line, separated by single spaces, in UTF-8. If a word occurs
/// twice, the first line counts. A first line of two integers, as in word2vec's files, is skipped.
/// Files that begin like gzip, zstd, xz or bzip2 are decompressed. InputError, naming file and
/// line, for a line with a different number of numbers than the first, for anything that is not a
/// finite number, or for a file without words. InputError or SystemError if the file cannot be
/// opened.
WordVectors read_word_vectors(const std::string& path);

}  // namespace elmo

// Word vectors in the formats of word2vec, which gensim, fastText's tools and spaCy read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/analysis/word_averages.h"
#include "io/files/atomic_file.h"

namespace elmo {

/// The formats of the word2vec program.
enum class WordVectorFormat {
  text,   ///< a line "COUNT DIMENSIONS", then a line for each word: the word and its numbers,
          ///< separated by blanks, with the fewest digits that read back as the same float32
  binary  ///< the same first line, then for each word: the word, a blank, its numbers as
          ///< little-endian float32, and a line feed
};

/// A file of word vectors that gets its final name when it is complete. Format: word2vec.c (Mikolov
/// et al. 2013). Errors: as begin_file. One thread.
class WordVectorFile {
 public:
  WordVectorFile(const std::filesystem::path& path, WordVectorFormat format, bool overwrite);

  /// As AtomicFile::warning.
  std::string warning() const { return file_.warning(); }

  /// Writes the means of the words that occur at least `min_count` times, the most frequent first,
  /// and publishes the file. Returns the number of words. Call it once.
  std::uint64_t publish(const WordAverages& averages, std::uint64_t min_count);

 private:
  AtomicFile file_;
  WordVectorFormat format_;
};

}  // namespace elmo

// Word vectors as word2vec writes them, which gensim, fastText's tools and spaCy read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/inference/word_averages.h"
#include "io/files/atomic_file.h"

namespace elmo {

enum class WordVectorFormat {
  text,   ///< a line "COUNT DIMENSIONS", then a line for each word: it and its numbers, blanks
          ///< between them, with the fewest digits that read back as the same float32
  binary  ///< that line, then for each word: it, a blank, its numbers as float32, little endian,
          ///< and a line feed
};

/// A file of word vectors that gets its name when it is whole. Format: word2vec.c (Mikolov et al.
/// 2013). Errors: as begin_file. One thread.
class WordVectorFile {
 public:
  WordVectorFile(const std::filesystem::path& path, WordVectorFormat format, bool overwrite);

  /// Warning if the file system has no locks, else empty.
  std::string warning() const;

  /// Writes the means of the words that occur at least so often, the most frequent first, and
  /// publishes the file; returns how many there are. Once.
  std::uint64_t publish(const WordAverages& averages, std::uint64_t min_count);

 private:
  AtomicFile file_;
  WordVectorFormat format_;
};

}  // namespace elmo

// Word vectors in the formats of word2vec, which gensim, fastText's tools and spaCy read.
#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/word_averages.h"
#include "io/files/atomic_file.h"
#include "io/outputs/output_format.h"

namespace elmo {

/// The formats of the word2vec program.
enum class WordVectorFormat {
  text,   ///< a line "COUNT DIMENSIONS", then a line for each word: the word and its numbers,
          ///< separated by blanks, with the fewest digits that read back as the same float32
  binary  ///< the same first line, then for each word: the word, a blank, its numbers as
          ///< little-endian float32, and a line feed
};

/// "3 of 4 words written, of 512 numbers each": describes the output of a sink of `averages`.
std::string words_summary(std::uint64_t written, const WordAverages& averages);

/// Writes the mean vector of each word after the last row: words that occur at least rows.min_count
/// times, the most frequent first. Format: word2vec.c (Mikolov et al. 2013). Errors: as begin_file.
/// One thread.
class WordVectorSink final : public OutputSink {
 public:
  WordVectorSink(const OutputTarget& target, const OutputRows& rows, WordVectorFormat format);

  std::string warning() const override { return file_.warning(); }
  std::string summary() const override { return words_summary(written_, averages_); }

  void write(const ActivationBatch& batch) override { averages_.write(batch); }
  void finish() override;

 private:
  AtomicFile file_;
  WordAverages averages_;
  WordVectorFormat format_;
  std::uint64_t min_count_;
  std::uint64_t written_ = 0;  // number of words
};

}  // namespace elmo

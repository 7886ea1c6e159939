// The sinks of the forms that have no header of their own, each opened by a function as
// OutputFormat::open describes. A file gets its final name when the run is finished; a run that is
// stopped leaves no file and cannot be resumed. Errors: as begin_file; SystemError.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/word_averages.h"
#include "io/files/atomic_file.h"
#include "io/outputs/output_format.h"

namespace elmo {

/// Starts a file that will become `path`. RequestError if the file exists and `overwrite` is false;
/// otherwise as AtomicFile.
AtomicFile begin_file(const std::filesystem::path& path, bool overwrite);

/// One HDF5 file, the layout that existing consumers of ELMo vectors read: float32 or float16
/// datasets "0", "1", …, numbered like the run's sentences. With all layers, the shape is
/// [L+1, T, 2P], with layer 0 = [x; x] and layer j = [forward_j; backward_j]; otherwise it is
/// [T, 2P]. A sentence without tokens has a dataset with T = 0, so that the numbers match the
/// input's lines.
///
/// `sentence_to_index`, of shape (1,), is a JSON object that maps each sentence to its number as a
/// string. The key is the sentence's source if it has one, otherwise its tokens separated by single
/// spaces. Of equal sentences the last one counts, as in JSON readers. The object is the only data
/// kept in memory until the end.
std::unique_ptr<OutputSink> open_allennlp(const OutputTarget& target, const OutputRows& rows);

/// Returns the header of a row-major array of that element and shape; its size is a multiple of 64.
/// Format: NumPy Enhancement Proposal 1, version 1.0.
std::string npy_header(std::string_view element, std::span<const std::uint64_t> shape);

// All activations of a run as a few arrays, in files that can be mapped into memory: `activations`
// [N, R, W], `offsets` [S+1], and for int8 `scales` float32 [N, R]. Sentence s has the rows
// offsets[s] to offsets[s+1] - 1. REQUIRES: rows.counts is known. finish() throws std::logic_error
// if the run differs from it.

/// The arrays as .npy files: the activations at target.path, the others next to it:
/// vectors.offsets.npy and vectors.scales.npy for vectors.npy. Not for bfloat16. Old activations
/// are removed first and the new ones get their name last, so that a reader who finds activations
/// also finds their offsets and scales. Old scales are removed if there are no new ones.
std::unique_ptr<OutputSink> make_npy_files(const OutputTarget& target, const OutputRows& rows);

/// The arrays as tensors of one safetensors file: a JSON header, then the numbers. `offsets` are
/// I64, a type that PyTorch has. The names of the rows ("layers") and rows.about are stored in its
/// __metadata__.
std::unique_ptr<OutputSink> open_safetensors(const OutputTarget& target, const OutputRows& rows);

/// The formats of the word2vec program, which gensim, fastText's tools and spaCy read.
enum class WordVectorFormat {
  text,   ///< a line "COUNT DIMENSIONS", then a line for each word: the word and its numbers,
          ///< separated by blanks, with the fewest digits that read back as the same float32
  binary  ///< the same first line, then for each word: the word, a blank, its numbers as
          ///< little-endian float32, and a line feed
};

/// "3 of 4 words written, of 512 numbers each": describes the output of a sink of `averages`.
std::string words_summary(std::uint64_t written, const WordAverages& averages);

/// The mean vector of each word, written after the last row: words that occur at least
/// rows.min_count times, the most frequent first. Format: word2vec.c (Mikolov et al. 2013).
std::unique_ptr<OutputSink> open_word_vectors(const OutputTarget& target, const OutputRows& rows,
                                              WordVectorFormat format);

}  // namespace elmo

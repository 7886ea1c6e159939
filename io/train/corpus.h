// A corpus, tokenized once, in a file that training maps into memory; its vocabulary.
//
// The file is in the byte order of the machine that made it. It can be made again from the text at
// any time. After a header of fixed size come these sections, each at a multiple of 8 bytes:
//
//     uint32 [tokens]     the type of each token
//     uint64 [sentences]  offset after the last token of each sentence
//     uint64 [types]      count of each type
//     uint64 [types]      offset after the last byte of each type's spelling
//     bytes               the spellings, in UTF-8, one after another
//
// Types are numbered from kFirstType by their first occurrence.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/sentence.h"
#include "core/model/vocabulary.h"
#include "core/train/bilm/lanes.h"
#include "io/files/atomic_file.h"
#include "io/files/mapped_file.h"

namespace elmo {

/// Counts of the text encoded so far, without empty sentences.
struct EncodingProgress {
  std::uint64_t tokens = 0;
  std::uint64_t sentences = 0;
};

/// Progress and cancellation of encoding a corpus.
struct EncodingWatch {
  std::function<void(const EncodingProgress&)> progress;  ///< called every few thousand sentences
  const std::atomic<bool>* stop = nullptr;  ///< once true, encoding is aborted; may be null
};

/// An open corpus file. Only the types' spellings are in memory. Movable; immutable, so any thread
/// may read it.
class EncodedCorpus {
 public:
  std::span<const std::uint32_t> tokens() const { return tokens_; }
  std::span<const std::uint64_t> sentence_ends() const { return sentence_ends_; }
  /// types()[i] is the spelling of type kFirstType + i, which occurs counts()[i] times.
  std::span<const std::string> types() const { return types_; }
  std::span<const std::uint64_t> counts() const { return counts_; }
  /// Checksum of everything above: 32 hexadecimal digits, the same for the same sentences.
  const std::string& checksum() const { return checksum_; }

  /// The file, which has an unfinished name until it is published.
  const std::filesystem::path& path() const {
    return unpublished_ ? unpublished_->temporary_path() : path_;
  }
  /// Gives the file that encode_corpus made its name, replacing an existing one. A file that is not
  /// published is removed with this object. Does nothing otherwise. SystemError as AtomicFile.
  void publish();

 private:
  friend std::optional<EncodedCorpus> encode_corpus(SentenceSource& source,
                                                    const std::filesystem::path& path,
                                                    std::string_view origin,
                                                    const EncodingWatch& watch);
  friend std::optional<EncodedCorpus> open_encoded_corpus(const std::filesystem::path& path,
                                                          std::string_view origin);
  /// Messages call an unfinished file by its final name.
  explicit EncodedCorpus(const std::filesystem::path& path);

  std::filesystem::path path_;
  std::unique_ptr<AtomicFile> unpublished_;
  MappedFile file_;
  std::span<const std::uint32_t> tokens_;
  std::span<const std::uint64_t> sentence_ends_;
  std::span<const std::uint64_t> counts_;
  std::vector<std::string> types_;
  std::string checksum_;
};

/// Reads all sentences of `source` and writes them to a file that becomes `path` once the result is
/// published: a run that is refused keeps the file of an earlier one. Its folder must exist.
/// Sentences without tokens are skipped. `origin` identifies the input and the tokenizer of the
/// corpus, in any form. Memory grows with the number of types. Returns nothing if it was stopped.
/// Errors: InputError for an input without a token, SystemError if the file cannot be written (a
/// full disk: no file is left), and the errors of the source. One thread.
std::optional<EncodedCorpus> encode_corpus(SentenceSource& source,
                                           const std::filesystem::path& path,
                                           std::string_view origin,
                                           const EncodingWatch& watch = {});

/// Opens the file that encode_corpus made with that origin. Returns nothing if there is no
/// file, or if it has another origin or is damaged (all bytes are checked): the corpus must
/// then be encoded (again). SystemError if it cannot be read.
std::optional<EncodedCorpus> open_encoded_corpus(const std::filesystem::path& path,
                                                 std::string_view origin);

/// Limits on the words of a vocabulary.
struct VocabularyLimits {
  std::uint64_t min_count = 1;  ///< words that occur less often are left out
  std::int64_t max_words = 0;   ///< total rows, including `<S>`, `</S>` and `<UNK>`; 0: no limit
};

/// `<S>`, `</S>` and `<UNK>`, as in bilm-tf's vocabularies, then the types of the corpus by
/// descending count, and by bytes if counts are equal. Types that a vocabulary file cannot
/// represent are left out. InputError if the limits leave no word, or if there are more words than
/// a vocabulary file may hold.
Vocabulary build_vocabulary(const EncodedCorpus& corpus, const VocabularyLimits& limits);

/// The row of every type or, without one, of its canonical form, [types + kFirstType]. Types
/// outside the vocabulary, and types spelled like one of its reserved words, have the row of
/// `<UNK>`.
std::vector<std::int32_t> target_rows(const EncodedCorpus& corpus, const Vocabulary& vocabulary);

/// Number of tokens with the row of `<UNK>`.
std::uint64_t unknown_tokens(const EncodedCorpus& corpus, const Vocabulary& vocabulary);

/// The corpus as training reads it. All arguments must outlive it. `rows`: see Corpus::rows.
Corpus training_view(const EncodedCorpus& corpus, const std::vector<std::int32_t>& targets,
                     std::span<const std::int32_t> rows = {});

}  // namespace elmo

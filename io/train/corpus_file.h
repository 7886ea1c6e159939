// A corpus that was tokenized once, in a file that training maps into memory.
//
// The file is made for the machine that reads it, in its byte order; it can be made again from the
// text at any time. Behind a header of fixed size come, each from a multiple of 8 bytes on:
//   uint32 [tokens]     the type of each token
//   uint64 [sentences]  one behind the last token of each sentence
//   uint64 [types]      how often each type occurs
//   uint64 [types]      one behind the last byte of each type's spelling
//   bytes               the spellings, in UTF-8, one after another
// Types are numbered from kFirstType by their first occurrence.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/source.h"
#include "io/files/mapped_file.h"

namespace elmo {

/// A corpus file that is open. In memory are the types' spellings only. Movable; immutable, so any
/// thread may read it.
class EncodedCorpus {
 public:
  std::span<const std::uint32_t> tokens() const { return tokens_; }
  std::span<const std::uint64_t> sentence_ends() const { return sentence_ends_; }
  /// types()[i] spells type kFirstType + i and occurs counts()[i] times.
  std::span<const std::string> types() const { return types_; }
  std::span<const std::uint64_t> counts() const { return counts_; }
  /// Of all of the above: 32 hexadecimal digits, the same for the same sentences.
  const std::string& checksum() const { return checksum_; }

 private:
  friend std::optional<EncodedCorpus> open_encoded_corpus(const std::filesystem::path& path,
                                                          std::string_view fingerprint);
  explicit EncodedCorpus(const std::filesystem::path& path) : file_(path) {}

  MappedFile file_;
  std::span<const std::uint32_t> tokens_;
  std::span<const std::uint64_t> sentence_ends_;
  std::span<const std::uint64_t> counts_;
  std::vector<std::string> types_;
  std::string checksum_;
};

/// What has been encoded so far, without empty sentences.
struct EncodingProgress {
  std::uint64_t tokens = 0;
  std::uint64_t sentences = 0;
};

struct EncodingWatch {
  std::function<void(const EncodingProgress&)> progress;  ///< called every few thousand sentences
  const std::atomic<bool>* stop = nullptr;  ///< once true, encoding is given up; may be null
};

/// Reads all sentences of `source` and writes them to the file at `path`, replacing what is there;
/// its folder has to exist. Sentences without tokens are left out. The file is written and synced
/// under another name and gets its own once it is whole. `fingerprint` says what the corpus is made
/// of (the input and the tokenizer), in any form. Memory is that of the types. Nothing where it
/// was stopped. Errors: InputError for an input without a token, SystemError for what cannot be
/// written (a full disk: no file is left), and those of the source. One thread.
std::optional<EncodedCorpus> encode_corpus(SentenceSource& source,
                                           const std::filesystem::path& path,
                                           std::string_view fingerprint,
                                           const EncodingWatch& watch = {});

/// Opens the file that encode_corpus made with that fingerprint. Nothing where there is none, where
/// it was made with another fingerprint or where it is damaged (all bytes are checked): then the
/// corpus has to be encoded (again). SystemError where it cannot be read.
std::optional<EncodedCorpus> open_encoded_corpus(const std::filesystem::path& path,
                                                 std::string_view fingerprint);

}  // namespace elmo

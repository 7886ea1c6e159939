// Sentences whose words are labeled with senses, and the table of the possible senses of words.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/senses.h"
#include "io/text/bytes/byte_stream.h"

namespace elmo {

/// Reads a file, which may be compressed like text inputs, with lines of the form
///
///   lemma TAB part of speech TAB key key …
///
/// with at least one key; the first is the fallback. Blank lines are skipped. InputError, naming
/// the file and the line, for anything else and for a word that occurs twice. SystemError if the
/// file cannot be read.
SenseCandidates read_sense_candidates(const std::string& path);

/// Maximum length of a line; longer lines are malformed.
inline constexpr std::size_t kMaxSenseLineBytes = std::size_t{4} << 20;

/// Reads one file, which may be compressed like text inputs. A line is
///
///   {"id": sentence, "tokens": [string, …], "lemmas": [string, …], "pos": [string, …],
///    "senses": {"i": [key, …]}, "spans": {"i": end}, "ne": {"i": kind}, "ids": {"i": instance}}
///
/// where i is an instance's first token, from 0. `spans` has the ends of instances of several
/// tokens, `ne` marks names, `ids` names instances (default "id:i"); these three and `id` are
/// optional. Blank lines are skipped. The tokens `` and '' are read as ". One thread.
class SenseCorpus {
 public:
  /// Once `stop`, which may be null, is true, next() throws ReadingStopped instead of waiting for a
  /// pipe. InputError if there is no such file, SystemError if it cannot be opened.
  explicit SenseCorpus(const std::string& path, const std::atomic<bool>* stop = nullptr);

  /// Reads the next sentence. Returns false at the end. InputError, naming the file and the line,
  /// for lines of another form, and for sentences of more than kDefaultMaxSentenceTokens tokens;
  /// naming the file, as pass_over_byte_order_mark.
  bool next(SenseSentence& sentence);

  /// Bytes read so far, as stored (compressed), and the size of the file if known. Any thread.
  std::uint64_t bytes_read() const { return state_.bytes; }
  std::optional<std::uint64_t> total_bytes() const { return total_bytes_; }

 private:
  std::optional<std::uint64_t> total_bytes_;
  ReadState state_;
  std::string path_;
  std::shared_ptr<const Document> document_;
  ByteWindow window_;
  RecordLines lines_;
  bool begun_ = false;
};

/// Parses the sentence of one line, without its document and line number. Instances are in order.
/// InputError with what was found and what was expected; the caller adds the location.
SenseSentence parse_sense_sentence(std::string_view json);

}  // namespace elmo

// Sentences whose words are labeled with senses, one JSON object a line.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/senses/sense_inventory.h"
#include "io/text/bytes/byte_source.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

/// A line of more bytes is malformed.
inline constexpr std::size_t kMaxSenseLineBytes = std::size_t{4} << 20;

/// Reads one file, which may be compressed as text inputs may. A line is
///
///   {"id": sentence, "tokens": [string, …], "lemmas": [string, …], "pos": [string, …],
///    "senses": {"i": [key, …]}, "spans": {"i": end}, "ne": {"i": kind}, "ids": {"i": instance}}
///
/// where i is an instance's first token, counted from 0. `spans` says where instances of several
/// tokens end, `ne` marks names, `ids` names instances (else they are "id:i"); these three and `id`
/// may be missing. Blank lines are none. The tokens `` and '' are read as ". One thread.
class SenseCorpus {
 public:
  /// InputError where there is no such file, SystemError where it cannot be opened.
  explicit SenseCorpus(const std::string& path);

  /// Reads the next sentence; false at the end. InputError naming the file and the line for what is
  /// not as above, and for sentences of more tokens than kDefaultMaxSentenceTokens.
  bool next(SenseSentence& sentence);

  /// Bytes read so far, as they are stored; the size of the file where it is known. Any thread.
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::optional<std::uint64_t> total_bytes() const { return total_bytes_; }

 private:
  std::atomic<std::uint64_t> bytes_read_ = 0;
  std::optional<std::uint64_t> total_bytes_;
  Waiting waiting_;
  std::string path_;
  std::shared_ptr<const Document> document_;
  ByteWindow window_;
  RecordLines lines_;
};

/// The sentence that one line holds, without its document and line; its instances in order.
/// InputError saying what was found and what was expected; the caller knows where.
SenseSentence parse_sense_sentence(std::string_view json);

}  // namespace elmo

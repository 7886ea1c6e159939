#include "io/labeled/senses/sense_candidates.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

namespace {

/// Splits `text` at the separators.
std::vector<std::string> pieces(std::string_view text, const char* separators) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    result.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

}  // namespace

SenseCandidates read_sense_candidates(const std::string& path) {
  std::atomic<std::uint64_t> bytes_read = 0;
  const Waiting waiting;
  ByteWindow window(open_file(path, bytes_read, waiting));
  RecordLines lines(window);
  SenseCandidates candidates;
  while (lines.next()) {
    const auto refuse_line = [&](const std::string& found, const std::string& expected) {
      throw InputError(path + ": line " + std::to_string(lines.number()) + ": found " + found +
                       "; expected " + expected + "; fix the file");
    };
    const std::string expected =
        "a lemma, a part of speech and, separated by spaces, keys of senses: three columns, "
        "separated by tabs";
    if (lines.too_long()) refuse_line("a line that is too long", expected);
    if (lines.line().empty()) continue;
    std::vector<std::string> fields = pieces(lines.line(), "\t");
    if (fields.size() != 3) refuse_line(std::to_string(fields.size()) + " columns", expected);
    std::vector<std::string> keys = pieces(fields[2], " ");
    if (fields[0].empty() || fields[1].empty() || std::ranges::find(keys, "") != keys.end()) {
      refuse_line("an empty column or key", expected);
    }
    const LemmaKey lemma{std::move(fields[0]), std::move(fields[1])};
    if (!candidates.emplace(lemma, std::move(keys)).second) {
      refuse_line("the word " + lemma.first + ", " + lemma.second + " again", "each word once");
    }
  }
  return candidates;
}

}  // namespace elmo

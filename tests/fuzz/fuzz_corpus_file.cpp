// A corpus file with any damage is either ignored or read as sentences without errors, even if its
// checksum was recomputed. The input is a list of changes to a valid file; its first byte selects
// whether the checksum is recomputed.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <string>

#include "core/train/bilm/lanes.h"
#include "io/files/checksum.h"
#include "io/train/corpus.h"
#include "tests/fixtures/files.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/scratch.h"

namespace {

// The header: a magic number, four counts, and two checksums of 32 digits. The second covers
// everything after the header, and the counts.
constexpr std::size_t kCounts = 8;
constexpr std::size_t kChecksum = kCounts + 4 * 8 + 32;
constexpr std::size_t kHeader = kChecksum + 32;

class FewSentences final : public elmo::SentenceSource {
 public:
  bool next(elmo::Sentence& sentence) override {
    sentence.clear();
    if (++number_ > 5) return false;
    for (int i = 0; i < number_; ++i) sentence.add("word" + std::to_string(i), {});
    return true;
  }

 private:
  int number_ = 0;
};

std::string sound_file() {
  FewSentences source;
  elmo::encode_corpus(source, elmo::scratch(), "fuzz")->publish();
  return elmo::content_of(elmo::scratch());
}

void fit_checksum(std::string& file) {
  if (file.size() < kHeader) return;
  elmo::Checksum checksum;
  checksum.add(std::string_view(file).substr(kHeader));
  checksum.add(std::string_view(file).substr(kCounts, 4 * 8));
  file.replace(kChecksum, 32, checksum.hex());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kSound = sound_file();
  if (size == 0) return 0;
  std::string file = kSound;
  elmo::damage(file, {data + 1, size - 1});
  if (data[0] % 2 == 0) fit_checksum(file);
  std::ofstream(elmo::scratch(), std::ios::binary) << file;
  const auto corpus = elmo::open_encoded_corpus(elmo::scratch(), "fuzz");
  if (!corpus) return 0;
  std::uint64_t begin = 0;
  std::size_t bytes = 0;
  for (const std::uint64_t end : corpus->sentence_ends()) {
    if (begin >= end) std::abort();
    for (; begin < end; ++begin) {
      bytes += corpus->types()[corpus->tokens()[begin] - elmo::kFirstType].size();
    }
  }
  if (begin != corpus->tokens().size() || bytes > file.size() * file.size()) std::abort();
  return 0;
}

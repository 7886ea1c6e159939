#include "io/train/corpus.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <deque>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/checksum.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/model/vocabulary.h"
#include "io/text/segment/normalization.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSectionAlignment = 8;

struct Counts {
  std::uint64_t tokens = 0;
  std::uint64_t sentences = 0;
  std::uint64_t types = 0;
  std::uint64_t spelling_bytes = 0;
};

using Digits = std::array<char, 32>;  // digits of a checksum

struct Header {
  std::uint64_t magic = 0;
  Counts counts;
  Digits origin{};
  Digits checksum{};  // covers everything after the header, and the counts
};
static_assert(sizeof(Header) % kSectionAlignment == 0);

/// "elmotok" and the format version, as a number, so that a file in another byte order does not
/// match.
constexpr std::uint64_t kMagic = 0x656C6D6F746F6B01U;

Digits digits_of(const Checksum& checksum) {
  Digits digits{};
  const std::string hex = checksum.hex();
  std::copy_n(hex.begin(), digits.size(), digits.begin());
  return digits;
}

Digits origin_digits(std::string_view origin) {
  Checksum checksum;
  checksum.add(origin);
  return digits_of(checksum);
}

std::size_t padding(std::size_t bytes) {
  return (kSectionAlignment - bytes % kSectionAlignment) % kSectionAlignment;
}

/// Numbers types by first occurrence and counts them.
class TypeTable {
 public:
  std::uint32_t add(std::string_view token) {
    auto entry = numbers_.find(token);
    if (entry == numbers_.end()) {
      if (spellings_.size() > std::numeric_limits<std::uint32_t>::max() - kFirstType) {
        throw InputError("the text has more than " + std::to_string(spellings_.size()) +
                         " different tokens, which is as many as can be numbered; split it");
      }
      const auto number = static_cast<std::uint32_t>(kFirstType + spellings_.size());
      entry = numbers_.emplace(spellings_.emplace_back(token), number).first;
      counts_.push_back(0);
    }
    ++counts_[entry->second - kFirstType];
    return entry->second;
  }

  const std::deque<std::string>& spellings() const { return spellings_; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  std::deque<std::string> spellings_;  // a deque keeps their addresses: the map's keys are views
  std::vector<std::uint64_t> counts_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

/// Writes the sections in order, and the header last.
class CorpusWriter {
 public:
  explicit CorpusWriter(const fs::path& path) : file_(path) { file_.append(bytes_of(Header{})); }

  void add(std::span<const std::byte> bytes) {
    file_.append(bytes);
    checksum_.add(bytes);
    size_ += bytes.size();
  }
  void end_section() {
    static constexpr std::array<std::byte, kSectionAlignment> kZeros{};
    add(std::span(kZeros).first(padding(size_)));
  }
  /// Returns the file, complete.
  AtomicFile finish(const Counts& counts, std::string_view origin) {
    checksum_.add(bytes_of(counts));
    const Header header{kMagic, counts, origin_digits(origin), digits_of(checksum_)};
    file_.replace_beginning(bytes_of(header));
    file_.flush();
    return std::move(file_);
  }

 private:
  AtomicFile file_;
  Checksum checksum_;
  std::size_t size_ = 0;
};

/// Reads the sections in order.
class SectionReader {
 public:
  explicit SectionReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  std::span<const T> next(std::uint64_t count) {
    const std::size_t size = count * sizeof(T);
    // Sections begin at multiples of kSectionAlignment within a page-aligned mapping.
    const std::span<const T> section(reinterpret_cast<const T*>(bytes_.data()), count);
    bytes_ = bytes_.subspan(size + padding(size));
    return section;
  }

 private:
  std::span<const std::byte> bytes_;
};

/// Returns the size of all sections; nothing if a file of that size cannot have these counts.
std::optional<std::uint64_t> payload_size(const Counts& counts, std::uint64_t file_size) {
  for (const std::uint64_t count :
       {counts.tokens, counts.sentences, counts.types, counts.spelling_bytes}) {
    if (count > file_size) return std::nullopt;
  }
  const auto section = [](std::uint64_t bytes) { return bytes + padding(bytes); };
  return section(counts.tokens * sizeof(std::uint32_t)) +
         section(counts.sentences * sizeof(std::uint64_t)) +
         2 * section(counts.types * sizeof(std::uint64_t)) + section(counts.spelling_bytes);
}

/// True if each number exceeds the previous one by at least `least`, and the last is `last`.
bool grow_to(std::span<const std::uint64_t> ends, std::uint64_t least, std::uint64_t last) {
  std::uint64_t before = 0;
  for (const std::uint64_t end : ends) {
    if (end < before || end - before < least || end > last) return false;
    before = end;
  }
  return before == last;
}

bool are_types(std::span<const std::uint32_t> tokens, std::uint64_t types) {
  return std::all_of(tokens.begin(), tokens.end(), [types](std::uint32_t token) {
    return token >= kFirstType && token - kFirstType < types;
  });
}

/// Returns the complete file; nothing if encoding was stopped.
std::optional<AtomicFile> write_corpus(SentenceSource& source, const fs::path& path,
                                       std::string_view origin, const EncodingWatch& watch) {
  constexpr std::uint64_t kSentencesBetweenReports = 4096;
  const auto stopped = [&watch] { return watch.stop != nullptr && *watch.stop; };
  CorpusWriter writer(path);
  AtomicFile ends(path.string() + ".sentences");  // separate file until all tokens are written
  TypeTable types;
  EncodingProgress done;
  Sentence sentence;
  std::vector<std::uint32_t> numbers;
  while (!stopped() && source.next(sentence)) {
    if (sentence.size() == 0) continue;
    numbers.clear();
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      numbers.push_back(types.add(sentence.encoded(i)));
    }
    writer.add(std::as_bytes(std::span(numbers)));
    done.tokens += numbers.size();
    ends.append(bytes_of(done.tokens));
    if (++done.sentences % kSentencesBetweenReports == 0 && watch.progress) watch.progress(done);
  }
  if (stopped()) return std::nullopt;
  if (done.tokens == 0) {
    throw InputError("the input has no token to train on; expected text with one sentence or more");
  }
  if (watch.progress) watch.progress(done);

  writer.end_section();
  ends.flush();
  writer.add(MappedFile(ends.temporary_path()).bytes());
  writer.add(std::as_bytes(std::span(types.counts())));
  std::uint64_t spelling_end = 0;
  for (const std::string& spelling : types.spellings()) {
    spelling_end += spelling.size();
    writer.add(bytes_of(spelling_end));
  }
  for (const std::string& spelling : types.spellings()) {
    writer.add(std::as_bytes(std::span(spelling)));
  }
  writer.end_section();
  return writer.finish({done.tokens, done.sentences, types.counts().size(), spelling_end}, origin);
}

constexpr std::array<const char*, 3> kReservedWords = {"<S>", "</S>", "<UNK>"};

bool may_be_word(const std::string& type) {
  return fits_vocabulary_file(type) &&
         std::ranges::find(kReservedWords, type) == kReservedWords.end();
}

}  // namespace

std::optional<EncodedCorpus> encode_corpus(SentenceSource& source, const fs::path& path,
                                           std::string_view origin, const EncodingWatch& watch) {
  try {
    std::optional<AtomicFile> file = write_corpus(source, path, origin, watch);
    if (!file) return std::nullopt;
    std::optional<EncodedCorpus> corpus = open_encoded_corpus(file->temporary_path(), origin);
    if (!corpus) {
      throw SystemError(path.string() + " does not read back as it was written; check the disk");
    }
    corpus->unpublished_ = std::make_unique<AtomicFile>(*std::move(file));
    return corpus;
  } catch (const ReadingStopped&) {
    return std::nullopt;
  }
}

EncodedCorpus::EncodedCorpus(const fs::path& path)
    : path_(path),
      file_(open_regular_file(path, "map").get(),
            path.parent_path() /
                finished_name(path.filename().string()).value_or(path.filename().string())) {}

void EncodedCorpus::publish() {
  if (!unpublished_) return;
  path_ = unpublished_->path();
  unpublished_->publish();
  unpublished_.reset();
}

std::optional<EncodedCorpus> open_encoded_corpus(const fs::path& path, std::string_view origin) {
  if (!is_there(path)) return std::nullopt;
  EncodedCorpus corpus(path);
  const std::span<const std::byte> bytes = corpus.file_.bytes();
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::span<const std::byte> payload = bytes.subspan(sizeof header);
  if (header.magic != kMagic || header.origin != origin_digits(origin) ||
      payload_size(header.counts, bytes.size()) != payload.size()) {
    return std::nullopt;
  }
  Checksum checksum;
  checksum.add(payload);
  checksum.add(bytes_of(header.counts));
  if (header.checksum != digits_of(checksum)) return std::nullopt;

  SectionReader reader(payload);
  corpus.tokens_ = reader.next<std::uint32_t>(header.counts.tokens);
  corpus.sentence_ends_ = reader.next<std::uint64_t>(header.counts.sentences);
  corpus.counts_ = reader.next<std::uint64_t>(header.counts.types);
  const auto spelling_ends = reader.next<std::uint64_t>(header.counts.types);
  const auto spellings = reader.next<char>(header.counts.spelling_bytes);
  // A correct checksum does not prove that this program wrote the file.
  if (!are_types(corpus.tokens_, header.counts.types) ||
      !grow_to(corpus.sentence_ends_, 1, header.counts.tokens) ||
      !grow_to(spelling_ends, 0, header.counts.spelling_bytes)) {
    return std::nullopt;
  }
  corpus.types_.reserve(header.counts.types);
  std::uint64_t begin = 0;
  for (const std::uint64_t end : spelling_ends) {
    corpus.types_.emplace_back(spellings.data() + begin, end - begin);
    begin = end;
  }
  corpus.checksum_ = checksum.hex();
  return corpus;
}

Vocabulary build_vocabulary(const EncodedCorpus& corpus, const VocabularyLimits& limits) {
  const std::span<const std::string> types = corpus.types();
  const std::span<const std::uint64_t> counts = corpus.counts();
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if (counts[i] >= limits.min_count && may_be_word(types[i])) chosen.push_back(i);
  }
  std::sort(chosen.begin(), chosen.end(), [&](std::uint32_t a, std::uint32_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : types[a] < types[b];
  });
  if (limits.max_words > 0) {
    const auto room = static_cast<std::size_t>(limits.max_words);
    chosen.resize(std::min(chosen.size(), room - std::min(room, kReservedWords.size())));
  }
  if (chosen.empty()) {
    throw InputError("the vocabulary has no word: of the text's " + std::to_string(types.size()) +
                     " different tokens none occurs " + std::to_string(limits.min_count) +
                     " times or more and finds room; allow rarer words, or more words");
  }

  std::vector<std::string> words(kReservedWords.begin(), kReservedWords.end());
  words.reserve(words.size() + chosen.size());
  for (const std::uint32_t i : chosen) words.push_back(types[i]);
  const std::size_t bytes =
      std::accumulate(words.begin(), words.end(), words.size(),  // line ends
                      [](std::size_t sum, const std::string& word) { return sum + word.size(); });
  if (bytes > kMaxVocabularyBytes) {
    throw InputError("the vocabulary of " + std::to_string(words.size()) + " words takes " +
                     std::to_string(bytes) + " bytes; expected at most " +
                     std::to_string(kMaxVocabularyBytes) +
                     ": leave rare words out, or set how many there may be");
  }
  return Vocabulary(std::move(words), {}, canonical_form);
}

std::vector<std::int32_t> target_rows(const EncodedCorpus& corpus, const Vocabulary& vocabulary) {
  std::vector<std::int32_t> rows(kFirstType + corpus.types().size());
  rows[kBeginSentenceType] = static_cast<std::int32_t>(vocabulary.begin_sentence());
  rows[kEndSentenceType] = static_cast<std::int32_t>(vocabulary.end_sentence());
  std::transform(corpus.types().begin(), corpus.types().end(), rows.begin() + kFirstType,
                 [&](const std::string& type) {
                   return static_cast<std::int32_t>(vocabulary.row(type, canonical_form(type)));
                 });
  return rows;
}

std::uint64_t unknown_tokens(const EncodedCorpus& corpus, const Vocabulary& vocabulary) {
  std::uint64_t unknown = 0;
  for (std::size_t i = 0; i < corpus.types().size(); ++i) {
    const std::string& type = corpus.types()[i];
    if (!vocabulary.contains(type) && !vocabulary.contains(canonical_form(type))) {
      unknown += corpus.counts()[i];
    }
  }
  return unknown;
}

Corpus training_view(const EncodedCorpus& corpus, const std::vector<std::int32_t>& targets,
                     std::span<const std::int32_t> rows) {
  return {corpus.tokens(), corpus.sentence_ends(), corpus.types(), targets, rows};
}

}  // namespace elmo

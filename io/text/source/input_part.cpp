#include "io/text/source/input_part.h"

#include <algorithm>
#include <atomic>

#include "core/error.h"
#include "core/inference/source.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/free_text_reader.h"
#include "io/text/source/text_source.h"

namespace elmo {
namespace {

/// Bytes that are looked at at once for the end of a line.
constexpr std::size_t kStep = std::size_t{1} << 20;

/// The first byte of part `number`: number * total / count without overflow, for number <= count.
std::uint64_t first_byte(std::uint64_t number, std::uint64_t count, std::uint64_t total) {
  const std::uint64_t quotient = total / count;
  const std::uint64_t rest = total % count;
  // number * rest < count * count: parts are fewer than 2^32.
  return number * quotient + number * rest / count;
}

/// Finds where units of a file begin.
class UnitFinder {
 public:
  UnitFinder(const InputFile& file, const InputOptions& options)
      : path_(file.path), size_(*file.size), options_(options), can_be_cut_(look()) {}

  /// Where the first unit begins at or after `byte`, or the file's size.
  std::uint64_t begin_at(std::uint64_t byte) const {
    if (byte == 0 || byte >= size_ || !can_be_cut_) return byte == 0 ? 0 : size_;
    const Waiting waiting;
    std::atomic<std::uint64_t> bytes_read = 0;
    std::uint64_t line_feeds = 0;
    ByteWindow window(open_stretch({path_, byte - 1, size_, {}}, line_feeds, bytes_read, waiting),
                      byte - 1);
    const bool free_text = options_.format == InputFormat::text && !options_.lines;
    while (window.fill(1)) {
      if (options_.stop != nullptr && *options_.stop) {
        throw ReadingStopped("stopped before the part's first byte was found");
      }
      const std::size_t end = window.find('\n', 0, kStep);
      const bool line_ends = end < window.view().size() && window.view()[end] == '\n';
      window.consume(line_ends ? end + 1 : end);
      if (!line_ends) continue;
      if (!free_text || !can_be_wrapped(window, 0)) break;
    }
    return window.offset();
  }

 private:
  bool look() const {
    if (options_.format == InputFormat::conllu || size_ == 0) return false;
    if (options_.whole_documents && options_.format != InputFormat::jsonl) return false;
    const Waiting waiting;
    std::atomic<std::uint64_t> bytes_read = 0;
    if (is_compressed(path_)) return false;
    ByteWindow window(open_file(path_, bytes_read, waiting));
    pass_over_byte_order_mark(window, path_);
    return true;
  }

  const std::string& path_;
  std::uint64_t size_;
  const InputOptions& options_;
  bool can_be_cut_;
};

}  // namespace

std::vector<InputStretch> stretches_of_part(const std::vector<InputFile>& files,
                                            const InputOptions& options) {
  std::uint64_t total = 0;
  for (const InputFile& file : files) {
    if (!file.size) {
      throw RequestError((file.path == kStandardInput ? "standard input" : file.path) +
                         " can be read only once and has no parts; expected files, which every "
                         "part can read from its own place");
    }
    total += *file.size;
  }
  const InputPart part = options.part.value();
  const std::uint64_t first = first_byte(part.number, part.count, total);
  const std::uint64_t last = first_byte(part.number + 1, part.count, total);
  const bool is_last = part.number + 1 == part.count;
  std::vector<InputStretch> stretches;
  std::uint64_t at = 0;
  for (const InputFile& file : files) {
    const std::uint64_t begin = at;
    at += *file.size;
    if (begin == at) {
      if (begin >= first && (begin < last || (is_last && begin == total))) {
        stretches.push_back({file.path, 0, std::nullopt, 0});
      }
      continue;
    }
    if (at <= first || begin >= last) continue;
    if (begin >= first && at <= last) {
      stretches.push_back({file.path, 0, std::nullopt, *file.size});
      continue;
    }
    const UnitFinder units(file, options);
    const std::uint64_t from = units.begin_at(std::max(begin, first) - begin);
    const std::uint64_t to = units.begin_at(std::min(at, last) - begin);
    if (from == to) continue;
    stretches.push_back({file.path, from, std::nullopt, to - from});
    if (to != *file.size) stretches.back().end = to;
  }
  return stretches;
}

}  // namespace elmo

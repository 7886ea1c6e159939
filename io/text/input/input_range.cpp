#include "io/text/input/input_range.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "io/files/checksum.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/encoding.h"
#include "io/text/formats/readers.h"

namespace elmo {
namespace {

constexpr std::uint64_t kHashedBytes = std::uint64_t{4} << 20;
constexpr std::size_t kBytesAtOnce = std::size_t{256} << 10;

/// Number of bytes searched at once for the end of a line.
constexpr std::size_t kStep = std::size_t{1} << 20;

/// Returns the first byte of part `number`: number * total / count without overflow, for number <=
/// count.
std::uint64_t first_byte(std::uint64_t number, std::uint64_t count, std::uint64_t total) {
  const std::uint64_t quotient = total / count;
  const std::uint64_t rest = total % count;
  // number * rest < count * count: parts are fewer than 2^32.
  return number * quotient + number * rest / count;
}

/// True if a part may begin inside the file. Errors as open_source.
bool can_be_cut(const InputFile& file, const InputOptions& options) {
  const FormatTraits& traits = traits_of(options.format);
  if (traits.cuts == CutPoint::none || (options.whole_documents && !traits.has_records))
    return false;
  if (is_compressed(file.path)) return false;
  ByteWindow window(open_file(file.path));
  pass_over_byte_order_mark(window, file.path);
  return true;
}

/// Returns the start of the first unit at or after `byte` of the file, or the file's size.
std::uint64_t unit_begin(const InputFile& file, const InputOptions& options, std::uint64_t byte,
                         const std::atomic<bool>* stop) {
  const std::uint64_t size = file.size.value();
  if (byte == 0) return 0;
  if (byte >= size || !can_be_cut(file, options)) return size;
  ByteWindow window(std::make_unique<FileBytes>(FileStretch{file.path, byte - 1, size}), byte - 1);
  const CutPoint cut = options.format == InputFormat::text && options.lines
                           ? CutPoint::line
                           : traits_of(options.format).cuts;
  while (window.fill(1)) {
    if (stop != nullptr && *stop) {
      throw ReadingStopped("stopped before the part's first byte was found");
    }
    const std::size_t end = window.find('\n', 0, kStep);
    const bool line_ends = end < window.view().size() && window.view()[end] == '\n';
    window.consume(line_ends ? end + 1 : end);
    if (!line_ends) continue;
    if (cut == CutPoint::line || (cut == CutPoint::paragraph && !can_be_wrapped(window, 0)) ||
        (cut == CutPoint::header && window.fill(1) && window.view().starts_with('>'))) {
      break;
    }
  }
  return window.offset();
}

}  // namespace

FileStretch InputRange::stretch(std::size_t file) const {
  return {files_.path(first_ + file), file == 0 ? begin_ : 0,
          file + 1 == size_ ? end_ : std::nullopt};
}

std::optional<std::uint64_t> InputRange::bytes(std::size_t file) const {
  const std::optional<std::uint64_t> size = files_.size_of(first_ + file);
  if (!size) return std::nullopt;
  const FileStretch read = stretch(file);
  return read.end.value_or(*size) - read.begin;
}

std::optional<std::uint64_t> InputRange::total_bytes() const {
  std::uint64_t total = 0;
  for (std::size_t file = 0; file < size(); ++file) {
    const std::optional<std::uint64_t> bytes = this->bytes(file);
    if (!bytes) return std::nullopt;
    total += *bytes;
  }
  return total;
}

std::string InputRange::hash_before(std::size_t file, std::uint64_t offset) const {
  const std::uint64_t begin = file == 0 ? begin_ : 0;
  if (file >= size() || !bytes(file) || offset < begin || offset - begin > *bytes(file)) {
    throw InputError("the input has no byte " + std::to_string(offset) + " in file " +
                     std::to_string(file) +
                     " (from 0), where the run resumes; expected an unchanged input");
  }
  std::size_t first = file;
  std::uint64_t count = offset - begin;
  while (count < kHashedBytes && first > 0) count += bytes(--first).value();
  const std::uint64_t passed_over = count - std::min(count, kHashedBytes);

  Checksum checksum;
  std::vector<char> block(kBytesAtOnce);
  for (std::size_t number = first; number <= file; ++number) {
    FileStretch hashed = stretch(number);
    hashed.end = number == file ? offset : hashed.begin + bytes(number).value();
    if (number == first) hashed.begin += passed_over;
    if (hashed.begin == hashed.end) continue;
    FileBytes stored(std::move(hashed));
    while (const std::size_t size = stored.read(block.data(), block.size())) {
      checksum.add(std::string_view(block.data(), size));
    }
  }
  return checksum.hex();
}

InputRange range_of_part(FileList files, const InputOptions& options,
                         const std::atomic<bool>* stop) {
  std::uint64_t total = 0;
  for (const InputFile& file : files) {
    if (!file.size) {
      throw RequestError(shown_name(file.path) +
                         " can be read only once, so it cannot be divided into parts; expected "
                         "files");
    }
    total += *file.size;
  }
  const InputPart part = options.part.value();
  const std::uint64_t first = first_byte(part.number, part.count, total);
  const std::uint64_t last = first_byte(part.number + 1, part.count, total);
  const bool is_last = part.number + 1 == part.count;

  // The files of a part follow each other; only the first and the last one may be cut.
  std::optional<std::size_t> first_file;
  std::size_t last_file = 0;
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end;
  const auto take = [&](std::size_t file, std::uint64_t from) {
    if (!first_file) {
      first_file = file;
      begin = from;
    }
    last_file = file;
  };
  std::uint64_t at = 0;
  for (std::size_t number = 0; number < files.size(); ++number) {
    const std::uint64_t before = at;
    const InputFile file = files[number];
    at += *file.size;
    if (before == at) {
      if (before >= first && (before < last || (is_last && before == total))) take(number, 0);
    } else if (at > first && before < last) {
      if (before >= first && at <= last) {
        take(number, 0);
        continue;
      }
      const std::uint64_t from = unit_begin(file, options, std::max(before, first) - before, stop);
      const std::uint64_t to = unit_begin(file, options, std::min(at, last) - before, stop);
      if (from == to) continue;
      take(number, from);
      if (to != *file.size) end = to;
    }
  }
  const std::size_t size = first_file ? last_file + 1 - *first_file : 0;
  return {std::move(files), first_file.value_or(0), size, begin, end};
}

}  // namespace elmo

#include "io/text/bytes/archive_bytes.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

constexpr std::size_t kArchiveInputBytes = std::size_t{64} << 10;
constexpr std::size_t kHeadBytes = 6;  // a zstd frame's header up to the window

int support_filter(archive* reader, FileCompression compression) {
  switch (compression) {
    case FileCompression::zstd:
      return archive_read_support_filter_zstd(reader);
    case FileCompression::xz:
      return archive_read_support_filter_xz(reader);
    case FileCompression::bzip2:
      return archive_read_support_filter_bzip2(reader);
    case FileCompression::gzip:
      break;
  }
  return ARCHIVE_FATAL;
}

/// Returns the window size of the zstd frame at the beginning of `stored` (RFC 8878, 3.1.1.1), or 0
/// if it is unknown. A frame of a single segment stores no window size.
std::uint64_t zstd_window(std::string_view stored) {
  constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";
  constexpr unsigned kSingleSegment = 0x20;
  if (!stored.starts_with(kMagic) || stored.size() < kHeadBytes) return 0;
  const auto header = static_cast<unsigned char>(stored[kMagic.size()]);
  if ((header & kSingleSegment) != 0) return 0;
  const auto window = static_cast<unsigned char>(stored[kMagic.size() + 1]);
  const std::uint64_t base = std::uint64_t{1} << (10 + (window >> 3));
  return base + base / 8 * (window & 7);
}

}  // namespace

void ArchiveBytes::Close::operator()(archive* reader) const { archive_read_free(reader); }

ArchiveBytes::ArchiveBytes(std::string name, FileCompression compression,
                           std::unique_ptr<ByteSource> stored)
    : name_(std::move(name)),
      compression_(compression),
      stored_(std::move(stored)),
      input_(kArchiveInputBytes),
      archive_(archive_read_new()) {
  // A library without this compression would start an external program; it reports that with a
  // warning.
  if (!archive_ || support_filter(archive_.get(), compression) != ARCHIVE_OK) {
    throw SystemError(name_ + ": this system's libarchive cannot read " +
                      std::string(kFileCompressions.word(compression)) +
                      " data; decompress it first");
  }
  archive_read_support_format_raw(archive_.get());
  archive_read_support_format_empty(archive_.get());
}

long ArchiveBytes::read_stored(archive*, void* self, const void** data) {
  auto& bytes = *static_cast<ArchiveBytes*>(self);
  *data = bytes.input_.data();
  try {
    const std::size_t count = bytes.stored_->read(bytes.input_.data(), bytes.input_.size());
    const auto block = std::span(bytes.input_).first(count);
    const auto zeros =
        std::find_if(block.rbegin(), block.rend(), [](char byte) { return byte != 0; }) -
        block.rbegin();
    bytes.head_.append(bytes.input_.data(), std::min(count, kHeadBytes - bytes.head_.size()));
    bytes.handed_ += count;
    if (static_cast<std::size_t>(zeros) < count) {
      bytes.padding_ = bytes.handed_ - static_cast<std::uint64_t>(zeros);
    }
    return static_cast<long>(count);
  } catch (...) {
    bytes.stored_error_ = std::current_exception();
    return ARCHIVE_FATAL;
  }
}

void ArchiveBytes::fail() {
  if (stored_error_) std::rethrow_exception(stored_error_);
  const char* const words = archive_error_string(archive_.get());
  const std::string reason = words != nullptr ? words : "libarchive cannot read it";
  const auto tells = [&](const char* text) { return reason.find(text) != std::string::npos; };
  if (archive_errno(archive_.get()) == ENOMEM || tells("not enough memory")) throw std::bad_alloc();
  const std::string file = name_ == "-" ? "" : " " + name_;
  if (tells("Frame requires too much memory")) {
    constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
    constexpr std::uint64_t kMax = 128;  // libarchive's default
    const std::uint64_t window = zstd_window(head_) / kMebibyte;
    throw InputError(
        name_ + ": the zstd data needs a window of " +
        (window > kMax ? std::to_string(window) : "more than " + std::to_string(kMax)) +
        " MiB; expected at most " + std::to_string(kMax) + " MiB; decompress it with: zstd -dc -M" +
        std::to_string(window > kMax ? window : 2048) + "MB" + file + " | elmo …");
  }
  if (tells("Dictionary mismatch")) {
    throw InputError(name_ + ": the zstd data was compressed with a dictionary, expected none; " +
                     "decompress it with: zstd -dc -D DICTIONARY" + file + " | elmo …");
  }
  refuse(reason);
}

void ArchiveBytes::refuse(const std::string& reason) {
  throw InputError(name_ + ": the " + std::string(kFileCompressions.word(compression_)) +
                   " data is damaged or cut short (" + reason + "); fetch or write it again");
}

/// Checks that everything was read: libarchive silently ends a bzip2 text at a damaged or truncated
/// header of a further stream. Zeros are no loss: tapes and disks pad with them.
void ArchiveBytes::end() {
  ended_ = true;
  const auto consumed = static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), -1));
  const void* data = nullptr;
  long count = 0;
  while (padding_ <= consumed && (count = read_stored(archive_.get(), this, &data)) > 0) {
  }
  if (count < 0) fail();
  if (padding_ > consumed) {
    refuse("what follows byte " + std::to_string(consumed) + " cannot be read");
  }
}

void ArchiveBytes::open() {
  opened_ = true;
  if (archive_read_open(archive_.get(), this, nullptr, read_stored, nullptr) != ARCHIVE_OK) fail();
  // Data too short for its filter to be recognized would be returned as it is. (The count includes
  // the reading itself.)
  if (archive_filter_count(archive_.get()) < 2) fail();
  archive_entry* entry = nullptr;
  const int result = archive_read_next_header(archive_.get(), &entry);
  if (result == ARCHIVE_EOF) {
    end();
  } else if (result != ARCHIVE_OK) {
    fail();
  }
}

std::size_t ArchiveBytes::read(char* data, std::size_t size) {
  if (!opened_) open();
  if (ended_) return 0;
  const la_ssize_t count = archive_read_data(archive_.get(), data, size);
  if (count < 0) fail();
  if (count == 0) end();
  return static_cast<std::size_t>(count);
}

}  // namespace elmo

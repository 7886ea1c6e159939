#include "io/text/bytes/archive_bytes.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

constexpr std::size_t kArchiveInputBytes = std::size_t{64} << 10;

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

}  // namespace

void ArchiveBytes::Close::operator()(archive* reader) const { archive_read_free(reader); }

ArchiveBytes::ArchiveBytes(std::string name, FileCompression compression,
                           std::unique_ptr<ByteSource> stored)
    : name_(std::move(name)),
      compression_(compression),
      stored_(std::move(stored)),
      input_(kArchiveInputBytes),
      archive_(archive_read_new()) {
  // A library built without this compression would start a program instead, and says so by a
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
  const char* reason = archive_error_string(archive_.get());
  refuse(reason != nullptr ? reason : "libarchive cannot read it");
}

void ArchiveBytes::refuse(const std::string& reason) {
  throw InputError(name_ + ": the " + std::string(kFileCompressions.word(compression_)) +
                   " data is damaged or cut short (" + reason + "); fetch or write it again");
}

/// libarchive ends a text of bzip2 where the next stream's head is damaged or cut, and says
/// nothing. Zeros are no loss: tapes and disks pad with them.
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
  // Data too short for its filter to be recognized would be handed out as it is. (The count
  // includes the reading itself.)
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

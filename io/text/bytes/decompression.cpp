#include "io/text/bytes/decompression.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <limits>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

struct Magic {
  FileCompression compression;
  std::string_view bytes;
  std::string_view ignored;  // mask of the bits of each byte to ignore; missing bytes count as 0
};

// The fourth byte of bzip2 is a digit, the block size.
constexpr std::array kMagics = {
    Magic{FileCompression::gzip, "\x1f\x8b\x08"sv, ""sv},
    Magic{FileCompression::zstd, "\x28\xb5\x2f\xfd"sv, ""sv},
    Magic{FileCompression::zstd, "\x50\x2a\x4d\x18"sv, "\x0f"sv},
    Magic{FileCompression::xz, "\xfd\x37\x7a\x58\x5a\x00"sv, ""sv},
    Magic{FileCompression::bzip2, "BZh0\x31\x41\x59\x26\x53\x59"sv, "\0\0\0\x0f"sv},
    Magic{FileCompression::bzip2, "BZh0\x17\x72\x45\x38\x50\x90"sv, "\0\0\0\x0f"sv},
};

constexpr auto kEndings = enum_table<FileCompression>({{".gz", FileCompression::gzip},
                                                       {".zst", FileCompression::zstd},
                                                       {".xz", FileCompression::xz},
                                                       {".bz2", FileCompression::bzip2}});

/// True if the shorter of the two is a prefix of the other.
bool agrees(std::string_view head, const Magic& magic) {
  for (std::size_t i = 0; i < std::min(head.size(), magic.bytes.size()); ++i) {
    const int ignored = i < magic.ignored.size() ? magic.ignored[i] : 0;
    if (((head[i] ^ magic.bytes[i]) & ~ignored & 0xff) != 0) return false;
  }
  return true;
}

}  // namespace

std::optional<FileCompression> compression_of_head(std::string_view head) {
  for (const Magic& magic : kMagics) {
    if (head.size() >= magic.bytes.size() && agrees(head, magic)) return magic.compression;
  }
  return std::nullopt;
}

bool may_become_compressed(std::string_view head) {
  return std::ranges::any_of(kMagics, [head](const Magic& magic) {
    return head.size() < magic.bytes.size() && agrees(head, magic);
  });
}

std::optional<FileCompression> compression_of_name(std::string_view name) {
  for (const auto& [ending, compression] : kEndings) {
    if (name.ends_with(ending)) return compression;
  }
  return std::nullopt;
}

std::string_view without_compression(std::string_view name) {
  return compression_of_name(name) ? name.substr(0, name.rfind('.')) : name;
}

namespace {

constexpr std::size_t kGzipInputBytes = std::size_t{64} << 10;
constexpr int kGzipOnly = 16;  // added to the window size: expect a gzip header

/// The text of gzip data (RFC 1952), read with zlib, because libarchive's filter does not verify
/// its checksums. One or more gzip members. Zero bytes after the last member are padding.
class GzipBytes : public ByteSource {
 public:
  GzipBytes(std::string name, std::unique_ptr<ByteSource> stored)
      : name_(std::move(name)), stored_(std::move(stored)), input_(kGzipInputBytes) {
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) {
      throw SystemError(name_ + ": zlib cannot be started; is there enough memory?");
    }
  }

  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;
  ~GzipBytes() override { inflateEnd(&stream_); }

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t wanted = std::min<std::size_t>(size, std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(data);
    stream_.avail_out = static_cast<uInt>(wanted);
    while (stream_.avail_out == wanted) {
      if (!in_member_) {
        if (!begin_next_member()) return 0;
        in_member_ = true;
      }
      if (!fill()) {
        throw InputError(name_ +
                         ": the gzip data is cut short; expected more; fetch or write it again");
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      if (result == Z_STREAM_END) {
        in_member_ = false;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        throw InputError(name_ + ": the gzip data is damaged (" +
                         (stream_.msg != nullptr ? stream_.msg : "zlib cannot read it") +
                         "); fetch or write it again");
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  /// Ensures that there is stored input; returns false at its end.
  bool fill() {
    if (stream_.avail_in > 0) return true;
    const std::size_t count = stored_->read(input_.data(), input_.size());
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  bool begin_next_member() {
    while (fill()) {
      if (*stream_.next_in != 0) {
        inflateReset(&stream_);
        return true;
      }
      ++stream_.next_in;
      --stream_.avail_in;
    }
    return false;
  }

  std::string name_;
  std::unique_ptr<ByteSource> stored_;
  std::vector<char> input_;
  z_stream stream_{};
  bool in_member_ = true;
};

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

/// The text of zstd, xz and bzip2 data, read with libarchive's filters.
class ArchiveBytes : public ByteSource {
 public:
  ArchiveBytes(std::string name, FileCompression compression, std::unique_ptr<ByteSource> stored)
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

  std::size_t read(char* data, std::size_t size) override {
    if (!opened_) open();
    if (ended_) return 0;
    const la_ssize_t count = archive_read_data(archive_.get(), data, size);
    if (count < 0) fail();
    if (count == 0) end();
    return static_cast<std::size_t>(count);
  }

 private:
  struct Close {
    void operator()(archive* reader) const { archive_read_free(reader); }
  };

  static long read_stored(archive*, void* self, const void** data) {
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

  void open() {
    opened_ = true;
    if (archive_read_open(archive_.get(), this, nullptr, read_stored, nullptr) != ARCHIVE_OK) {
      fail();
    }
    // Data too short for its filter to be recognized would be returned unchanged. (Here the count
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

  /// Checks that everything was read: libarchive silently ends a bzip2 text at a damaged or
  /// truncated header of a further stream. Zeros may remain, because tapes and disks pad with them.
  void end() {
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

  [[noreturn]] void fail() {
    if (stored_error_) std::rethrow_exception(stored_error_);
    const char* const words = archive_error_string(archive_.get());
    const std::string reason = words != nullptr ? words : "libarchive cannot read it";
    const auto tells = [&](const char* text) { return reason.find(text) != std::string::npos; };
    if (archive_errno(archive_.get()) == ENOMEM || tells("not enough memory")) {
      throw std::bad_alloc();
    }
    const std::string file = name_ == "-" ? "" : " " + name_;
    if (tells("Frame requires too much memory")) {
      constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
      constexpr std::uint64_t kMax = 128;  // libarchive's default
      const std::uint64_t window = zstd_window(head_) / kMebibyte;
      throw InputError(
          name_ + ": the zstd data needs a window of " +
          (window > kMax ? std::to_string(window) : "more than " + std::to_string(kMax)) +
          " MiB; expected at most " + std::to_string(kMax) +
          " MiB; decompress it with: zstd -dc -M" + std::to_string(window > kMax ? window : 2048) +
          "MB" + file + " | elmo …");
    }
    if (tells("Dictionary mismatch")) {
      throw InputError(name_ + ": the zstd data was compressed with a dictionary; expected none; " +
                       "decompress it with: zstd -dc -D DICTIONARY" + file + " | elmo …");
    }
    refuse(reason);
  }

  [[noreturn]] void refuse(const std::string& reason) {
    throw InputError(name_ + ": the " + std::string(kFileCompressions.word(compression_)) +
                     " data is damaged or cut short (" + reason + "); fetch or write it again");
  }

  std::string name_;
  FileCompression compression_;
  std::unique_ptr<ByteSource> stored_;
  std::exception_ptr stored_error_;  // an exception must not pass through libarchive's C code
  std::vector<char> input_;
  std::string head_;           // the first stored bytes
  std::uint64_t handed_ = 0;   // stored bytes passed to libarchive
  std::uint64_t padding_ = 0;  // offset of the zeros at the end of these bytes
  std::unique_ptr<archive, Close> archive_;
  bool opened_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decompress(const std::string& name, FileCompression compression,
                                       std::unique_ptr<ByteSource> stored) {
  if (compression == FileCompression::gzip) {
    return std::make_unique<GzipBytes>(name, std::move(stored));
  }
  return std::make_unique<ArchiveBytes>(name, compression, std::move(stored));
}

}  // namespace elmo

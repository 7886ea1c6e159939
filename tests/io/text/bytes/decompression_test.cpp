// Compressed inputs, made with libarchive.
#include "io/text/bytes/decompression.h"

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/encoding.h"

namespace elmo {
namespace {

constexpr std::size_t kLongestMagic = 10;  // length for bzip2

struct Format {
  FileCompression compression;
  int (*add_filter)(archive*);
};

const std::vector<Format> kFormats = {{FileCompression::gzip, archive_write_add_filter_gzip},
                                      {FileCompression::zstd, archive_write_add_filter_zstd},
                                      {FileCompression::xz, archive_write_add_filter_xz},
                                      {FileCompression::bzip2, archive_write_add_filter_bzip2}};

std::string compress(const std::string& text, const Format& format) {
  std::string stored(text.size() + 100000, '\0');
  std::size_t size = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_raw(writer);
  REQUIRE(format.add_filter(writer) == ARCHIVE_OK);
  archive_write_set_bytes_in_last_block(writer, 1);
  REQUIRE(archive_write_open_memory(writer, stored.data(), stored.size(), &size) == ARCHIVE_OK);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  REQUIRE(archive_write_header(writer, entry) == ARCHIVE_OK);
  REQUIRE(archive_write_data(writer, text.data(), text.size()) ==
          static_cast<la_ssize_t>(text.size()));
  archive_entry_free(entry);
  REQUIRE(archive_write_close(writer) == ARCHIVE_OK);
  archive_write_free(writer);
  stored.resize(size);
  return stored;
}

std::string read_all(ByteSource& source) {
  std::string text;
  char buffer[1000];
  while (const std::size_t count = source.read(buffer, sizeof buffer)) text.append(buffer, count);
  return text;
}

std::string decompressed(const std::string& stored, FileCompression compression) {
  return read_all(*decompress("input", compression, std::make_unique<MemoryBytes>(stored)));
}

/// Returns words that rarely repeat, so that compressed data is long enough to be cut at any
/// position.
std::string long_text() {
  std::string text;
  std::uint32_t state = 1;
  for (int i = 0; i < 50000; ++i) {
    state = state * 1664525U + 1013904223U;
    text += std::to_string(state >> 12) + (i % 10 == 9 ? "\n" : " ");
  }
  return text;
}

}  // namespace

TEST_CASE("compressed data is detected by its first bytes and read") {
  const std::string text = long_text();
  for (const Format& format : kFormats) {
    CAPTURE(kFileCompressions.word(format.compression));
    for (const std::string& content : {text, std::string("x"), std::string()}) {
      const std::string stored = compress(content, format);
      std::size_t size = 0;
      while (size < stored.size() && may_become_compressed(stored.substr(0, size))) ++size;
      CHECK(size <= kLongestMagic);
      const auto found = compression_of_head(stored.substr(0, size));
      REQUIRE(found.has_value());
      CHECK(*found == format.compression);
      CHECK(decompressed(stored, format.compression) == content);
    }
  }
}

TEST_CASE("several concatenated compressed streams read as one") {
  for (const Format& format : kFormats) {
    CAPTURE(kFileCompressions.word(format.compression));
    const std::string stored = compress("one ", format) + compress("two", format);
    CHECK(decompressed(stored, format.compression) == "one two");
  }
}

TEST_CASE("compressed data cut anywhere is an input error") {
  const std::string text = long_text();
  for (const Format& format : kFormats) {
    CAPTURE(kFileCompressions.word(format.compression));
    const std::string stored = compress(text, format);
    for (const std::size_t size : {kLongestMagic, std::size_t{14}, stored.size() / 3,
                                   stored.size() - 9, stored.size() - 1}) {
      CAPTURE(size);
      CHECK_THROWS_AS(decompressed(stored.substr(0, size), format.compression), InputError);
    }
  }
}

TEST_CASE("a later stream whose head is damaged or cut is an input error, not the end") {
  const std::string text = long_text();
  for (const Format& format : kFormats) {
    CAPTURE(kFileCompressions.word(format.compression));
    // Short and empty streams precede it, so that the remaining bytes lie in one block, or in two.
    for (const std::string& before : {std::string("one"), std::string(), text}) {
      const std::string first = compress(before, format);
      const std::string second = compress(text, format);
      CHECK(decompressed(first + second, format.compression) == before + text);
      for (const std::size_t size : {1U, 2U, 3U, 4U, 5U, 9U, 13U}) {
        CAPTURE(size);
        CHECK_THROWS_AS(decompressed(first + second.substr(0, size), format.compression),
                        InputError);
      }
      for (const std::size_t position : {0U, 1U, 2U, 3U}) {
        CAPTURE(position);
        std::string damaged = second;
        damaged[position] ^= '\x40';
        CHECK_THROWS_WITH_AS(decompressed(first + damaged, format.compression),
                             doctest::Contains("damaged"), InputError);
      }
    }
  }
}

TEST_CASE("other bytes after a stream are an input error, and zeros are padding") {
  for (const FileCompression compression : {FileCompression::gzip, FileCompression::bzip2}) {
    CAPTURE(kFileCompressions.word(compression));
    const auto format = std::ranges::find(kFormats, compression, &Format::compression);
    const std::string stored = compress("text\n", *format);
    for (const std::size_t zeros : {1U, 7U, 512U, 100000U}) {
      CAPTURE(zeros);
      const std::string padded = stored + std::string(zeros, '\0');
      CHECK(decompressed(padded, compression) == "text\n");
      CHECK_THROWS_AS(decompressed(padded + "more", compression), InputError);
    }
    CHECK_THROWS_AS(decompressed(stored + "more", compression), InputError);
  }
}

TEST_CASE("a flipped bit in compressed data is an input error") {
  const std::string text = long_text();
  for (const Format& format : kFormats) {
    // zstd's checksum is optional, and libarchive does not write it.
    if (format.compression == FileCompression::zstd) continue;
    CAPTURE(kFileCompressions.word(format.compression));
    const std::string stored = compress(text, format);
    for (const std::size_t position : {stored.size() / 5, stored.size() / 2, stored.size() - 40}) {
      std::string damaged = stored;
      damaged[position] ^= '\x10';
      CAPTURE(position);
      CHECK_THROWS_AS(decompressed(damaged, format.compression), InputError);
    }
  }
}

TEST_CASE("only as much of a text is read as shows that it is not compressed") {
  for (const char* head : {"A", "BA", "(a", "P.", "\x1f ", "BZh1A\n", "BZh9\n"}) {
    CAPTURE(head);
    CHECK_FALSE(may_become_compressed(head));
  }
}

TEST_CASE("plain text is not taken for compressed data") {
  for (const char* head :
       {"", "B", "BZh9 is not", "BZh91AY&S", "plain text", "PK\x03\x04", "\x1f"}) {
    CHECK_FALSE(compression_of_head(head).has_value());
  }
}

TEST_CASE("zstd data with an unsupported window or dictionary is not called damaged") {
  // A frame header (RFC 8878, 3.1.1.1), then one raw block.
  const auto frame = [](std::string head) {
    const std::string text = "One.\n";
    const auto block = static_cast<char>(text.size() << 3 | 1);
    return "\x28\xb5\x2f\xfd" + head + block + std::string(2, '\0') + text;
  };
  const auto window = [&](int log) { return frame({'\0', static_cast<char>((log - 10) << 3)}); };
  const auto error = [](const std::string& stored) -> std::string {
    try {
      return decompressed(stored, FileCompression::zstd);
    } catch (const InputError& refused) {
      return refused.what();
    }
  };
  CHECK(error(window(27)) == "One.\n");
  CHECK(error(window(31)) ==
        "input: the zstd data needs a window of 2048 MiB; expected at most 128 MiB; decompress it "
        "with: zstd -dc -M2048MB input | elmo …");
  // The same in a later frame.
  const std::string skippable("\x50\x2a\x4d\x18\x01\0\0\0x", 9);
  CHECK(error(skippable + window(31)).find("window of more than 128 MiB") != std::string::npos);
  const std::string dictionary = error(frame({'\x01', '\0', '\x07'}));
  CHECK(dictionary.find("with a dictionary; expected none") != std::string::npos);
}

TEST_CASE("text is not mistaken for another file, and its first line is enough to know") {
  /// Returns one byte at a time; then a read would block, as from a pipe.
  class Pipe : public ByteSource {
   public:
    explicit Pipe(std::string_view bytes) : bytes_(bytes) {}
    std::size_t read(char* data, std::size_t) override {
      if (bytes_.empty()) throw std::logic_error("would wait");
      *data = bytes_.front();
      bytes_.remove_prefix(1);
      return 1;
    }

   private:
    std::string_view bytes_;
  };
  const std::string tar_name(100, 'n');
  for (const std::string& text :
       {std::string("PK\n"), std::string("PAR1 is a receptor.\n"), std::string("ARROW1\n"),
        std::string("RIFF\n"), std::string("RIFF raff\n"), std::string("BM\n"),
        std::string("GIF89a and PNG\n"), std::string("MZ\n"), std::string("MM is 2000\n"),
        std::string("%PDF\n"), std::string("%PDF- is how they begin\n"), std::string("]\n"),
        std::string("\x80 is no UTF-8\n"), std::string("SQLite format 3\n"), std::string("7z\n"),
        std::string("\n"), tar_name + "\n", tar_name + "0000644 and text\n",
        std::string(257, '0') + "ustar\n"}) {
    CAPTURE(text);
    ByteWindow window(std::make_unique<Pipe>(text));
    CHECK_NOTHROW(pass_over_byte_order_mark(window, "input"));
    CHECK(window.offset() == 0);
  }
}

TEST_CASE("errors of the stored bytes pass through decompression unchanged") {
  struct Failing : ByteSource {
    std::size_t read(char*, std::size_t) override { throw SystemError("the disk is gone"); }
  };
  for (const Format& format : kFormats) {
    const auto source = decompress("input", format.compression, std::make_unique<Failing>());
    CHECK_THROWS_WITH_AS(read_all(*source), "the disk is gone", SystemError);
  }
}

}  // namespace elmo

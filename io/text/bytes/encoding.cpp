#include "io/text/bytes/encoding.h"

#include <unicode/ucsdet.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

#include "core/error.h"
#include "io/text/bytes/decompression.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

struct CloseDetector {
  void operator()(UCharsetDetector* detector) const { ucsdet_close(detector); }
};

/// Returns "UTF-16LE" or "UTF-16BE" if every other byte is often NUL, and the others never are.
/// Otherwise null.
const char* utf16_without_mark(std::string_view bytes) {
  constexpr std::size_t kLookedAt = 4096;
  constexpr std::size_t kMinPairs = 4;
  const std::size_t pairs = std::min(bytes.size(), kLookedAt) / 2;
  std::size_t high = 0;  // NULs in first bytes of pairs
  std::size_t low = 0;   // NULs in second bytes
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    high += bytes[2 * pair] == '\0' ? 1 : 0;
    low += bytes[2 * pair + 1] == '\0' ? 1 : 0;
  }
  // Non-Latin scripts have NULs only in blanks, digits and signs.
  const auto are_many = [pairs](std::size_t count) {
    return pairs >= kMinPairs && 8 * count > pairs;
  };
  if (are_many(low) && high == 0) return "UTF-16LE";
  return are_many(high) && low == 0 ? "UTF-16BE" : nullptr;
}

/// True if the text has several ill-formed sequences, and more of them than of characters of
/// several bytes. Damaged UTF-8 has fewer.
bool is_not_utf8(std::string_view bytes) {
  constexpr std::size_t kMinInvalid = 2;
  std::size_t invalid = 0;
  std::size_t long_characters = 0;
  bytes = bytes.substr(0, size_of_complete_characters(bytes));
  for (std::size_t next = 0; next < bytes.size();) {
    const std::size_t begin = next;
    if (next_code_point(bytes, next) < 0) {
      ++invalid;
    } else if (next - begin > 1) {
      ++long_characters;
    }
  }
  return invalid >= kMinInvalid && invalid > long_characters;
}

/// Returns the name of the encoding that decodes the same bytes and more, as browsers use it (W3C
/// Encoding Standard, section 4.2), or `name` itself.
std::string_view wider_encoding(std::string_view name, std::string_view bytes) {
  // The only letters in which Turkish differs from Western European languages. ICU takes short
  // texts in these for Turkish.
  constexpr std::string_view kTurkish = "\xd0\xdd\xde\xf0\xfd\xfe";
  const bool turkish = bytes.find_first_of(kTurkish) != std::string_view::npos;
  if (name == "ISO-8859-1") return "windows-1252";
  if (name == "ISO-8859-9" || name == "windows-1254") {
    return turkish ? "windows-1254" : "windows-1252";
  }
  return name.starts_with("ISO-8859-8") ? "windows-1255" : name;
}

}  // namespace

std::string other_encoding(std::string_view bytes) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  constexpr int kMinConfidence = 20;
  // EBCDIC, and what the functions above know better.
  constexpr std::array<std::string_view, 2> kLeftOut = {"UTF-", "IBM42"};
  bytes = bytes.substr(0, kLookedAt);
  if (const char* const encoding = utf16_without_mark(bytes)) return encoding;
  const bool escapes = bytes.find("\x1b$") != std::string_view::npos;
  if (!escapes && !is_not_utf8(bytes)) return {};

  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, CloseDetector> detector(ucsdet_open(&status));
  ucsdet_setText(detector.get(), bytes.data(), static_cast<std::int32_t>(bytes.size()), &status);
  std::int32_t count = 0;
  const UCharsetMatch** const matches = ucsdet_detectAll(detector.get(), &count, &status);
  // ICU's way to say that none matches.
  if (status == U_INVALID_CHAR_FOUND) return {};
  check_icu(status, "detect an encoding");
  for (std::int32_t match = 0; match < count; ++match) {
    const std::string_view name = ucsdet_getName(matches[match], &status);
    const std::int32_t confidence = ucsdet_getConfidence(matches[match], &status);
    if (U_FAILURE(status) || confidence < kMinConfidence) return {};
    if (std::ranges::any_of(
            kLeftOut, [name](std::string_view left_out) { return name.starts_with(left_out); })) {
      continue;
    }
    if (escapes && !name.starts_with("ISO-2022")) return {};
    return std::string(wider_encoding(name, bytes));
  }
  return {};
}

std::string conversion_command(const std::string& file, const std::string& encoding) {
  const std::string convert = "iconv -f " + encoding + " -t UTF-8";
  const std::optional<FileCompression> compression = compression_of_name(file);
  if (!compression) return convert + " " + file;
  return std::string(kFileCompressions.word(*compression)) + " -dc " + file + " | " + convert;
}

namespace {

using namespace std::string_view_literals;

struct Mark {
  std::string_view bytes;
  const char* encoding;
};

// The Unicode Standard 15, table 2-4. UTF-32 comes before UTF-16, because one mark of UTF-32 begins
// with one of UTF-16.
constexpr Mark kMarks[] = {{"\xef\xbb\xbf"sv, "UTF-8"},
                           {"\xff\xfe\0\0"sv, "UTF-32"},
                           {"\0\0\xfe\xff"sv, "UTF-32"},
                           {"\xff\xfe"sv, "UTF-16"},
                           {"\xfe\xff"sv, "UTF-16"}};

/// The signature of a format that is not text: `begin`, any bytes, `then`. It contains bytes that
/// cannot begin a text. The bytes between contain no line feed, because a text may end there.
struct Signature {
  const char* kind;
  std::string_view begin;
  std::size_t any = 0;
  std::string_view then{};

  std::size_t size() const { return begin.size() + any + then.size(); }
};

constexpr const char* kZip = "a zip archive (as .docx, .npz and .pt files are)";
constexpr const char* kLz4 = "lz4 data";
constexpr const char* kPickle = "a Python pickle";
constexpr const char* kTiff = "a TIFF image";
constexpr const char* kExecutable = "an executable file";

constexpr Signature kSignatures[] = {
    {kZip, "PK\x03\x04"sv},
    {kZip, "PK\x05\x06"sv},
    {kZip, "PK\x07\x08"sv},
    {"a 7z archive", "7z\xbc\xaf\x27\x1c"sv},
    {"a RAR archive", "Rar!\x1a\x07"sv},
    {"an ar archive (as .deb and .a files are)", "!<arch>\n"sv},
    {kLz4, "\x04\x22\x4d\x18"sv},
    {kLz4, "\x02\x21\x4c\x18"sv},
    {"lzma data", "\x5d\0\0"sv},
    {"lzip data", "LZIP\x01"sv},
    {"lzop data", "\x89LZO\0"sv},
    {"data of compress (.Z)", "\x1f\x9d"sv},
    {"snappy data", "\xff\x06\0\0sNaPpY"sv},
    {"a JPEG image", "\xff\xd8\xff"sv},
    {"a PNG image", "\x89PNG\r\n\x1a\n"sv},
    {"a GIF image", "GIF8"sv, 8, "\0"sv},
    {"a BMP image", "BM"sv, 4, "\0\0\0\0"sv},
    {"a WebP image", "RIFF"sv, 4, "WEBP"sv},
    {kTiff, "II*\0"sv},
    {kTiff, "MM\0*"sv},
    {"WAV audio", "RIFF"sv, 4, "WAVE"sv},
    {"MP4 video", "\0\0\0"sv, 1, "ftyp"sv},
    {"a PDF document", "%PDF-1."sv},
    {"a PDF document", "%PDF-2."sv},
    {"a PostScript document", "%!PS"sv},
    {"a PostScript document", "\xc5\xd0\xd3\xc6"sv},
    {"an RTF document", "{\\rtf"sv},
    {"an old Office document", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv},
    {"an HDF5 file", "\x89HDF\r\n\x1a\n"sv},
    {"a Parquet file", "PAR1\x15"sv},
    {"an Arrow file", "ARROW1\0\0"sv},
    {"an Avro file", "Obj\x01"sv},
    {"a NumPy array", "\x93NUMPY"sv},
    {kPickle, "\x80\x02"sv},
    {kPickle, "\x80\x03"sv},
    {kPickle, "\x80\x04"sv},
    {kPickle, "\x80\x05"sv},
    {"a GGUF model", "GGUF"sv, 1, "\0\0\0"sv},
    {"an SQLite database", "SQLite format 3\0"sv},
    {kExecutable,
     "\x7f"
     "ELF"sv},
    {kExecutable, "MZ\x90\0"sv},
    {kExecutable, "\xcf\xfa\xed\xfe"sv}};

/// True if the shorter of the two is a prefix of the other.
bool agrees_with(std::string_view head, const Signature& signature) {
  const auto [kind, begin, any, then] = signature;
  const std::string_view first = head.substr(0, begin.size());
  if (!begin.starts_with(first)) return false;
  head.remove_prefix(first.size());
  const std::string_view between = head.substr(0, any);
  if (between.find('\n') != std::string_view::npos) return false;
  head.remove_prefix(between.size());
  return then.starts_with(head.substr(0, then.size()));
}

// POSIX.1-1988: a name of 100 bytes, padded with NULs, a mode in octal digits, …, a magic.
constexpr std::size_t kTarMode = 100;
constexpr std::size_t kTarModeEnd = 108;
constexpr std::size_t kTarMagic = 257;
constexpr std::string_view kUstar = "ustar";

/// True if all of `head` agrees with the beginning of a tar archive.
bool agrees_with_tar(std::string_view head) {
  const std::string_view name = head.substr(0, kTarMode);
  const std::string_view mode = head.substr(name.size(), kTarModeEnd - kTarMode);
  if (name.find('\n') != std::string_view::npos) return false;
  if (mode.find_first_not_of("01234567 \0"sv) != std::string_view::npos) return false;
  if (head.size() < kTarModeEnd) return true;
  if (head.substr(0, kTarModeEnd).find('\0') == std::string_view::npos) return false;
  return head.size() <= kTarMagic || kUstar.starts_with(head.substr(kTarMagic, kUstar.size()));
}

bool may_become_no_text(std::string_view head) {
  if (head.size() < kTarMagic + kUstar.size() && agrees_with_tar(head)) return true;
  return may_become_compressed(head) ||
         std::ranges::any_of(kSignatures, [head](const Signature& signature) {
           return head.size() < signature.size() && agrees_with(head, signature);
         });
}

/// Returns the kind of file if its signature shows that it is not text; otherwise empty.
std::string kind_of_head(std::string_view head) {
  if (head.size() >= kTarMagic + kUstar.size() && agrees_with_tar(head)) return "a tar archive";
  if (const auto compression = compression_of_head(head)) {
    return std::string(kFileCompressions.word(*compression)) + " data that is compressed again";
  }
  const auto* const found = std::ranges::find_if(kSignatures, [head](const Signature& signature) {
    return head.size() >= signature.size() && agrees_with(head, signature);
  });
  return found == std::end(kSignatures) ? "" : found->kind;
}

void refuse_what_is_no_text(ByteWindow& window, const std::string& name) {
  for (std::size_t size = 0; may_become_no_text(window.view().substr(0, size)); ++size) {
    if (!window.fill(size + 1)) break;
  }
  const std::string kind = kind_of_head(window.view());
  if (!kind.empty()) {
    throw InputError(name + ": found " + kind +
                     "; expected UTF-8 text, which may be compressed by gzip, zstd, xz or bzip2");
  }
}

bool may_become_mark(std::string_view head) {
  return std::ranges::any_of(kMarks, [head](const Mark& mark) {
    return head.size() < mark.bytes.size() && mark.bytes.starts_with(head);
  });
}

}  // namespace

void pass_over_byte_order_mark(ByteWindow& window, const std::string& name) {
  refuse_what_is_no_text(window, name);
  for (std::size_t size = 0; may_become_mark(window.view().substr(0, size)); ++size) {
    if (!window.fill(size + 1)) break;
  }
  const auto* const found = std::ranges::find_if(
      kMarks, [&window](const Mark& mark) { return window.view().starts_with(mark.bytes); });
  if (found == std::end(kMarks)) return;
  const std::string encoding = found->encoding;
  if (encoding != "UTF-8") {
    throw InputError(name + ": begins with the byte order mark of " + encoding +
                     "; expected UTF-8; convert it with: iconv -f " + encoding + " -t UTF-8");
  }
  window.consume(found->bytes.size());
}

}  // namespace elmo

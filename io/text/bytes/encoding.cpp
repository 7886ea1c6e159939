#include "io/text/bytes/encoding.h"

#include <unicode/ucsdet.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

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

}  // namespace elmo

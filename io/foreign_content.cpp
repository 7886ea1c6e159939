#include "io/foreign_content.h"

#include <algorithm>
#include <array>

namespace elmo {
namespace {

using namespace std::string_view_literals;

struct KnownContent {
  std::string_view beginning;
  const char* name;
};

constexpr std::array kKnownContents = {
    KnownContent{"version https://git-lfs.github.com/spec/"sv,
                 "a Git LFS pointer (get the file itself with `git lfs pull`)"},
    KnownContent{"\x1f\x8b"sv, "a gzip stream (unpack it with `gunzip`)"},
    KnownContent{"\x28\xb5\x2f\xfd"sv, "a zstd stream (unpack it with `unzstd`)"},
    KnownContent{"\xfd\x37\x7a\x58\x5a\0"sv, "an xz stream (unpack it with `unxz`)"},
    KnownContent{"PK\3\4"sv,
                 "a zip archive (unpack it; if PyTorch wrote it, it holds another kind of model)"},
    KnownContent{"\x80\2"sv, "a Python pickle (perhaps PyTorch's: another kind of model)"},
    KnownContent{"\x80\3"sv, "a Python pickle (perhaps PyTorch's: another kind of model)"},
    KnownContent{"\x80\4"sv, "a Python pickle (perhaps PyTorch's: another kind of model)"},
    KnownContent{"\x80\5"sv, "a Python pickle (perhaps PyTorch's: another kind of model)"},
    KnownContent{"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    KnownContent{"\x93NUMPY"sv, "an array of NumPy"}};

/// True if `text`, apart from white space in front, begins with `beginning`, which is in lower
/// case.
bool begins_like(std::string_view text, std::string_view beginning) {
  text.remove_prefix(std::min(text.find_first_not_of("\xef\xbb\xbf \t\r\n"), text.size()));
  return text.size() >= beginning.size() &&
         std::ranges::equal(text.substr(0, beginning.size()), beginning, {}, [](char letter) {
           return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
         });
}

/// True for bzip2's header and the magic number of its first block.
bool is_bzip2(std::string_view head) {
  constexpr std::size_t kBlock = 4;  // after "BZh" and a digit
  return head.starts_with("BZh") && head.size() > kBlock &&
         head.substr(kBlock).starts_with("1AY&SY");
}

/// True for the length and the beginning of a header of safetensors.
bool is_safetensors(std::string_view head) {
  constexpr std::size_t kLengthBytes = 8;
  return head.size() > kLengthBytes + 1 && head[kLengthBytes - 1] == '\0' &&
         head.substr(kLengthBytes, 2) == "{\"";
}

}  // namespace

std::string foreign_content(std::string_view head) {
  for (const KnownContent& known : kKnownContents) {
    if (head.starts_with(known.beginning)) return std::string(" is ") + known.name;
  }
  if (begins_like(head, "<!doctype html") || begins_like(head, "<html")) {
    return " is an HTML page (perhaps of a failed download; download the file itself)";
  }
  if (begins_like(head, "<?xml")) return " is an XML document (perhaps of a failed download)";
  if (is_bzip2(head)) return " is a bzip2 stream (unpack it with `bunzip2`)";
  if (is_safetensors(head)) return " is a file of safetensors (another kind of model)";
  return {};
}

std::string download_advice(const std::filesystem::path& path) {
  const std::string text = path.string();
  const std::size_t scheme = text.find("://");
  if (scheme == std::string::npos || text.find('/') < scheme) return {};
  return "; nothing is downloaded: download it first, and give the name of the file or folder";
}

}  // namespace elmo

#include "io/labeled/opened_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

/// Passes the bytes of a file through. Invalid UTF-8 is an InputError, see
/// ReadingContext::check_strict, or is counted.
class CheckedBytes final : public ByteSource {
 public:
  /// `file` must outlive this object.
  CheckedBytes(std::unique_ptr<ByteSource> bytes, OpenedFile& file)
      : bytes_(std::move(bytes)), file_(file) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t count = bytes_->read(data, size);
    check(std::string_view(data, count));
    return count;
  }

 private:
  /// Empty `bytes` mean the end.
  void check(std::string_view bytes) {
    // The reader of a byte order mark of another encoding reports that encoding.
    constexpr std::array kOtherMarks = {"\xff\xfe"sv, "\xfe\xff"sv, "\0\0\xfe\xff"sv};
    if (offset_ == 0 && std::ranges::any_of(kOtherMarks, [bytes](std::string_view mark) {
          return bytes.starts_with(mark);
        })) {
      return;
    }
    unchecked_ += bytes;
    const std::size_t size =
        bytes.empty() ? unchecked_.size() : size_of_complete_characters(unchecked_);
    text_.assign(std::string_view(unchecked_).substr(0, size));
    file_.context.check_strict(text_, file_.name, offset_);
    file_.invalid_sequences += text_.repairs_within(RepairedText::npos);
    offset_ += size;
    unchecked_.erase(0, size);
  }

  std::unique_ptr<ByteSource> bytes_;
  OpenedFile& file_;
  std::string unchecked_;     // begins with a character that may be incomplete
  std::uint64_t offset_ = 0;  // of unchecked_
  RepairedText text_;
};

}  // namespace

std::unique_ptr<ByteSource> OpenedFile::checked(std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<CheckedBytes>(std::move(bytes), *this);
}

bool begins_with_object(ByteWindow& window) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  for (std::size_t at = 0; at < kLookedAt && window.fill(at + 1); ++at) {
    const char byte = window.view()[at];
    if (byte != ' ' && byte != '\t' && byte != '\r' && byte != '\n') return byte == '{';
  }
  return false;
}

}  // namespace elmo

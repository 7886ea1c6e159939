#include "io/labeled/common/opened_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "io/text/segment/code_points.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

/// The bytes of a file as they are. Where they are not UTF-8, an InputError, as
/// ReadingContext::check_strict, or counted.
class CheckedBytes final : public ByteSource {
 public:
  /// `file` outlives it.
  CheckedBytes(std::unique_ptr<ByteSource> bytes, OpenedFile& file)
      : bytes_(std::move(bytes)), file_(file) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t count = bytes_->read(data, size);
    check(std::string_view(data, count));
    return count;
  }

 private:
  /// Nothing: the end.
  void check(std::string_view bytes) {
    // What reads the mark of another encoding names that.
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
  std::string unchecked_;     // begins with a character that may go on
  std::uint64_t offset_ = 0;  // of it
  RepairedText text_;
};

}  // namespace

std::unique_ptr<ByteSource> OpenedFile::checked(std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<CheckedBytes>(std::move(bytes), *this);
}

}  // namespace elmo

#include "io/labelled/common/opened_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "io/text/segment/code_points.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

/// The bytes of a file as they are. InputError, as ReadingContext::check_strict, where they are not
/// UTF-8.
class StrictBytes final : public ByteSource {
 public:
  /// `context` and `name` outlive it.
  StrictBytes(std::unique_ptr<ByteSource> bytes, const ReadingContext& context,
              const std::string& name)
      : bytes_(std::move(bytes)), context_(context), name_(name) {}

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
    context_.check_strict(text_, name_, offset_);
    offset_ += size;
    unchecked_.erase(0, size);
  }

  std::unique_ptr<ByteSource> bytes_;
  const ReadingContext& context_;
  const std::string& name_;
  std::string unchecked_;     // begins with a character that may go on
  std::uint64_t offset_ = 0;  // of it
  RepairedText text_;
};

}  // namespace

std::unique_ptr<ByteSource> OpenedFile::checked(std::unique_ptr<ByteSource> bytes) {
  if (!context.options.strict) return bytes;
  return std::make_unique<StrictBytes>(std::move(bytes), context, name);
}

}  // namespace elmo

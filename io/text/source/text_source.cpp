#include "io/text/source/text_source.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/text/source/part_range.h"

namespace elmo {
namespace {

std::uint64_t count_byte_order_marks(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  std::uint64_t count = 0;
  for (std::size_t at = text.find(kByteOrderMark); at != std::string_view::npos;
       at = text.find(kByteOrderMark, at + kByteOrderMark.size())) {
    ++count;
  }
  return count;
}

}  // namespace

TextSource::TextSource(const InputOptions& options, InputRange range,
                       std::unique_ptr<ByteSource> bytes)
    : context_{static_cast<const FormatOptions&>(options)},
      waiting_{options.stop},
      range_(std::move(range)),
      total_bytes_(range_.total_bytes()),
      files_(range_, std::move(bytes), context_, waiting_) {}

bool TextSource::next(Sentence& sentence) {
  std::swap(sentence, last_.sentence);  // to reuse its memory
  const bool found = ahead_.next(last_, [this](Read& to) { return read(to); });
  std::swap(sentence, last_.sentence);
  if (found && sentence.size() == 0) ++context_.counters.empty_sentences;
  if (found) context_.byte_order_marks += count_byte_order_marks(sentence.characters());
  return found;
}

bool TextSource::next_would_wait() {
  return ahead_.would_wait(waiting_, [this](Read& to) { return read(to); });
}

std::string_view TextSource::peek(std::size_t least, std::size_t most) {
  files_.peek(least);
  waiting_.allowed = false;
  try {
    files_.peek(most);
  } catch (const WouldWait&) {
  }
  waiting_.allowed = true;
  return files_.peek(0);
}

std::optional<TextPosition> TextSource::take_position() {
  return std::exchange(last_.position, std::nullopt);
}

InputCounters TextSource::counters() const {
  return {context_.counters,    left_out_.count,      left_out_.first,
          context_.utf16_files, context_.first_utf16, context_.byte_order_marks};
}

void TextSource::begin_at(const TextPosition& position, const std::string& text_hash) {
  if (hash_before(position) != text_hash) {
    throw InputError(range_.stretch(position.file).path + ": the text before byte " +
                     std::to_string(position.offset) +
                     " is another one than it was: its sentences are not those that are published "
                     "already; give the same input to resume the run");
  }
  files_.begin_at(position);
}

std::string TextSource::hash_before(const TextPosition& position) const {
  return range_.hash_before(position.file, position.offset);
}

std::unique_ptr<TextSource> open_source(const InputOptions& options) {
  LeftOut left_out;
  FileList files = list_input_files(options.files, &left_out, options.written);
  InputRange range =
      options.part ? range_of_part(std::move(files), options) : InputRange(std::move(files));
  std::unique_ptr<TextSource> source(new TextSource(options, std::move(range), nullptr));
  source->left_out_ = std::move(left_out);
  return source;
}

std::unique_ptr<TextSource> open_source(const InputOptions& options, const std::string& name,
                                        std::unique_ptr<ByteSource> bytes) {
  FileList files;
  files.add(name, std::nullopt);
  return std::unique_ptr<TextSource>(
      new TextSource(options, InputRange(std::move(files)), std::move(bytes)));
}

}  // namespace elmo

#include "io/labeled/filled_lines.h"

#include <algorithm>

#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// The line without its line end.
std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Column `index`, 0-based, of a line that has at least index + 1 columns.
std::string_view column_of(std::string_view line, std::size_t index) {
  for (; index > 0; --index) line.remove_prefix(line.find('\t') + 1);
  return line.substr(0, line.find('\t'));
}

}  // namespace

/// Passes the bytes through and keeps a copy.
class FilledLines::Bytes final : public ByteSource {
 public:
  Bytes(FilledLines& lines, std::unique_ptr<ByteSource> bytes)
      : lines_(lines), bytes_(std::move(bytes)) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t count = bytes_->read(data, size);
    const std::lock_guard lock(lines_.mutex_);
    lines_.kept_.append(data, count);
    return count;
  }

 private:
  FilledLines& lines_;
  std::unique_ptr<ByteSource> bytes_;
};

std::unique_ptr<ByteSource> FilledLines::keep(std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<Bytes>(*this, std::move(bytes));
}

// The next line with its line end; empty if no bytes are kept.
std::string_view FilledLines::next_line() const {
  const std::string_view left = std::string_view(kept_).substr(begin_);
  return left.substr(0, std::min(left.find('\n'), left.size() - 1) + 1);
}

bool FilledLines::holds_token(std::string_view line) {
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (is_blank_line(without_end(line))) return false;
  if (form_ == TextForm::columns) {
    line = without_end(line);
    const std::size_t tab = line.find('\t');
    if (tab != std::string_view::npos) return line.substr(0, tab) != kDocumentStart;
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.substr(0, line.find(' ')) != kDocumentStart;
  }
  if (columns_.take(without_end(line)) || columns_.is_comment(without_end(line))) return false;
  if (!columns_.id()) return true;
  const std::string_view id = column_of(without_end(line), *columns_.id());
  return id.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string FilledLines::filled(std::string_view line, const std::string& label) const {
  const std::string_view content = without_end(line);
  const bool tabs = content.find('\t') != std::string_view::npos;
  std::size_t begin = 0;
  std::size_t end = content.size();
  if (form_ == TextForm::conllu) {
    const std::string_view value = column_of(content, columns_.find_labels(column_).value());
    begin = static_cast<std::size_t>(value.data() - content.data());
    end = begin + value.size();
  } else {
    if (!tabs) end = content.find_last_not_of(' ') + 1;
    const std::size_t separator = content.substr(0, end).rfind(tabs ? '\t' : ' ');
    const bool alone =
        separator == std::string_view::npos || content.find_first_not_of(' ') > separator;
    if (alone)
      return std::string(content) + '\t' + label + std::string(line.substr(content.size()));
    begin = separator + 1;
  }
  return std::string(line.substr(0, begin)).append(label).append(line.substr(end));
}

std::string FilledLines::fill(std::span<const std::string> labels) {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const std::string& label : labels) {
    std::string_view line = next_line();
    for (; !line.empty() && !holds_token(line); line = next_line()) {
      text += line;
      begin_ += line.size();
    }
    text += filled(line, label);
    begin_ += line.size();
  }
  bool ended = labels.empty();
  while (!ended) {
    const std::string_view line = next_line();
    if (!line.ends_with('\n') || holds_token(line))
      break;  // the rest of the line may not have arrived yet
    ended = is_blank_line(without_end(line));
    text += line;
    begin_ += line.size();
  }
  kept_.erase(0, std::exchange(begin_, 0));
  return text;
}

std::string FilledLines::rest() {
  const std::lock_guard lock(mutex_);
  return std::exchange(kept_, {});
}

}  // namespace elmo

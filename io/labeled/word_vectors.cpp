#include "io/labeled/word_vectors.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/labeled/example_file.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/encoding.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/segment/normalization.h"
#include "io/text/segment/utf8.h"

namespace elmo {

namespace {

constexpr std::int64_t kMaxVectorColumns = 65536;

/// Reads the lines of one file.
class Reader {
 public:
  explicit Reader(RecordLines& lines) : lines_(lines) {}

  WordVectors read() {
    while (lines_.next()) name_line(lines_, "", [&] { read_line(); });
    if (vectors_.columns == 0) {
      refuse("no word", "a word and its numbers a line");
    }
    if (header_ && header_->words != words_) {
      refuse(human_count(words_, "word"),
             std::to_string(header_->words) + ", as its first line says; is the file complete?");
    }
    set_mean();
    return std::move(vectors_);
  }

 private:
  /// The first line of a word2vec file.
  struct Header {
    std::uint64_t words = 0;
    std::uint64_t columns = 0;
  };

  void read_line() {
    std::string_view line = lines_.line();
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    if (lines_.too_long()) refuse("a line that is too long", "a word and its numbers");
    if (line.empty()) return;
    if (lines_.number() == 1 && (header_ = header_of(line))) return;
    add(line);
    ++words_;
  }

  static std::optional<Header> header_of(std::string_view line) {
    const std::size_t space = std::min(line.find(' '), line.size() - 1);
    const auto words = number_of<std::uint64_t>(line.substr(0, space));
    const auto columns = number_of<std::uint64_t>(line.substr(space + 1));
    return words && columns ? std::optional(Header{*words, *columns}) : std::nullopt;
  }

  // A word may hold spaces, so numbers are counted from the end.
  void add(std::string_view line) {
    if (vectors_.columns == 0) {
      const auto spaces = static_cast<std::uint64_t>(std::ranges::count(line, ' '));
      const std::uint64_t columns = header_ ? header_->columns : spaces;
      if (columns == 0 || columns > static_cast<std::uint64_t>(kMaxVectorColumns)) {
        refuse(std::to_string(columns) + " numbers", "1 to 65536");
      }
      if (columns > spaces) {
        refuse(std::to_string(spaces) + " numbers",
               std::to_string(columns) + ", as the first line says");
      }
      vectors_.columns = static_cast<std::int64_t>(columns);
      vectors_.values.assign(static_cast<std::size_t>(vectors_.columns), 0.0F);
    }
    numbers_.assign(static_cast<std::size_t>(vectors_.columns), 0.0F);
    for (std::size_t column = numbers_.size(); column-- > 0;) {
      const std::size_t space = line.rfind(' ');
      if (space == std::string_view::npos || space == 0) {
        refuse(std::to_string(numbers_.size() - 1 - column) + " numbers after a word",
               std::to_string(numbers_.size()));
      }
      const std::string_view text = line.substr(space + 1);
      const std::optional<float> number = number_of<float>(text);
      if (!number || !std::isfinite(*number)) {
        repaired_.assign(text.substr(0, 40));
        refuse(std::string("'").append(repaired_.text()).append("'"), "a finite number");
      }
      numbers_[column] = *number;
      line.remove_suffix(line.size() - space);
    }
    repaired_.assign(line);
    if (!vectors_.words.add(canonical_form(repaired_.text()), false)) return;
    vectors_.values.insert(vectors_.values.end(), numbers_.begin(), numbers_.end());
  }

  void set_mean() {
    const auto columns = static_cast<std::size_t>(vectors_.columns);
    std::vector<double> sums(columns, 0.0);
    for (std::size_t i = columns; i < vectors_.values.size(); ++i) {
      sums[i % columns] += vectors_.values[i];
    }
    const auto words = static_cast<double>(vectors_.words.rows() - 1);
    for (std::size_t column = 0; column < columns; ++column) {
      vectors_.values[column] = static_cast<float>(sums[column] / words);
    }
  }

  RecordLines& lines_;
  WordVectors vectors_;
  std::optional<Header> header_;
  std::uint64_t words_ = 0;     // words read, including duplicates
  std::vector<float> numbers_;  // numbers of a line
  RepairedText repaired_;
};

}  // namespace

WordVectors read_word_vectors(const std::string& path) {
  ByteWindow window(open_file(path));
  pass_over_byte_order_mark(window, path);
  RecordLines lines(window);
  return name_errors(path, [&] { return Reader(lines).read(); });
}

}  // namespace elmo

// The reader of FASTA.
#include <algorithm>
#include <array>
#include <string>

#include "core/error.h"
#include "core/text.h"
#include "io/text/formats/readers.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

constexpr char kHeader = '>';
constexpr char kSequenceEnd = '*';

bool is_capital(char byte) { return byte >= 'A' && byte <= 'Z'; }
bool is_residue(char byte) { return is_capital(byte) || (byte >= 'a' && byte <= 'z'); }

}  // namespace

bool is_name_of_fasta(std::string_view name) {
  constexpr std::array kFastaEndings = {".fasta", ".fa", ".faa", ".fas", ".fna", ".ffn"};
  return std::ranges::any_of(kFastaEndings,
                             [name](const char* ending) { return name.ends_with(ending); });
}

bool begins_with_fasta(std::string_view head) {
  constexpr std::size_t kMinResidues = 5;
  constexpr std::size_t kLongWord = 30;
  head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
  const std::size_t end = head.find('\n');
  // Mail and Markdown quote with "> ".
  if (end == std::string_view::npos || head[0] != kHeader || head[1] == ' ') return false;
  std::string_view line = head.substr(end + 1);
  line = without_outer_blanks(line.substr(0, line.find('\n')));
  if (line.ends_with(kSequenceEnd)) line.remove_suffix(1);
  return line.size() >= kMinResidues && std::ranges::all_of(line, is_residue) &&
         (line.size() >= kLongWord || std::ranges::all_of(line, is_capital));
}

namespace {

class FastaReader final : public FormatReader {
 public:
  explicit FastaReader(const TextInput& input)
      : FormatReader(input), lines_(input.window, input.line) {}

  bool next(Sentence& sentence) override {
    if (!has_line_ && !next_line()) return false;
    if (lines_.line().starts_with(kHeader)) {
      begin_record();
    } else if (!document_) {
      fail(lines_.number(), "a sequence before the first header",
           "a line that begins with > and the name of the sequence");
    }
    sentence.document = document_;
    sentence.line = unit_.line;
    while ((has_line_ || next_line()) && !lines_.line().starts_with(kHeader)) {
      add_residues(sentence);
      if (has_line_) {
        ++context_.counters.cut_sentences;
        return true;
      }
    }
    if (sentence.size() == 0) fail(unit_.line, "a header without a sequence", "residues after it");
    return true;
  }

  const UnitBegin* unit() const override { return &unit_; }

 private:
  /// Advances to the next line that is not blank; returns false at the end of the file.
  bool next_line() {
    do {
      if (!lines_.next()) return false;
      if (lines_.too_long()) {
        fail(lines_.number(), "a line of more than " + std::to_string(kMaxRecordBytes) + " bytes",
             "sequences over several lines");
      }
    } while (is_blank_line(lines_.line()));
    has_line_ = true;
    position_ = 0;
    return true;
  }

  /// Begins the record of the header in the current line.
  void begin_record() {
    unit_ = {lines_.offset(), lines_.number(), context_.counters};
    RepairedText line;
    line.assign(lines_.line());
    context_.count_repairs(line, window_.view(), name_, lines_.offset());
    const std::string_view header = without_outer_blanks(line.text().substr(1));
    const std::string id(header.substr(0, header.find_first_of(" \t")));
    document_ =
        id.empty() ? context_.begin_numbered_document(unit_.line) : context_.begin_document(id);
    has_line_ = starred_ = false;
  }

  /// Adds the rest of the current line, unless the sentence is full before its end.
  void add_residues(Sentence& sentence) {
    const std::string_view line = lines_.line();
    const std::size_t size = line.find_last_not_of(" \t\r") + 1;
    sentence.begin_line(lines_.number());
    for (; position_ < size; ++position_) {
      const char byte = line[position_];
      if (byte == kSequenceEnd && !starred_ && sentence.size() > 0) {
        starred_ = true;
        continue;
      }
      if (!is_residue(byte) || starred_) {
        std::size_t end = position_;
        next_code_point(line, end);
        std::string found = "'";
        found += printable_text(line.substr(position_, end - position_));
        found += "' at byte " + std::to_string(position_) + " of a sequence";
        if (starred_) found += " that has ended";
        fail(lines_.number(), found, "letters, and * after the last one");
      }
      if (sentence.size() == kMaxSentenceBytes) return;
      const std::uint64_t offset = lines_.offset() + position_;
      sentence.add(line.substr(position_, 1), {offset, offset + 1});
    }
    has_line_ = false;
  }

  [[noreturn]] void fail(std::uint64_t line, const std::string& found,
                         const std::string& expected) const {
    throw InputError(name_ + ": line " + std::to_string(line) + ": found " + found + "; expected " +
                     expected + " (FASTA); fix the file");
  }

  RecordLines lines_;
  bool has_line_ = false;     // the current line has not been read to its end
  std::size_t position_ = 0;  // of the next residue in it
  UnitBegin unit_;            // the record
  bool starred_ = false;      // its sequence has ended with *
};

}  // namespace

std::unique_ptr<FormatReader> make_fasta_reader(const TextInput& input) {
  return std::make_unique<FastaReader>(input);
}

}  // namespace elmo

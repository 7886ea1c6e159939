// FASTA: sequences of residues, such as proteins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// True for names of files of FASTA, without an extension of compression: .fasta, .fa, .faa, .fas,
/// .fna and .ffn.
bool is_name_of_fasta(std::string_view name);

/// True if a text begins with a header of FASTA and a line of residues.
bool begins_with_fasta(std::string_view head);

/// Each record is a document and a sentence, and each residue, an ASCII letter of either case, a
/// token. A record is a header, a line that begins with `>`, and a sequence over any number of
/// lines. The first word of the header is the document's id; without one, the number of its line
/// is. Blank lines and blanks at the ends of lines are skipped, and so is a `*` at the end of a
/// sequence. A sequence of more than kMaxSentenceBytes residues is cut. InputError, naming the
/// line, for a header without a sequence, text before the first header, any other byte in a
/// sequence, and a line of more than kMaxRecordBytes.
class FastaReader : public FormatReader {
 public:
  explicit FastaReader(const TextInput& input);

  bool next(Sentence& sentence) override;
  const UnitBegin* unit() const override { return &unit_; }

 private:
  bool next_line();
  void begin_record();
  void add_residues(Sentence& sentence);
  [[noreturn]] void fail(std::uint64_t line, const std::string& found,
                         const std::string& expected) const;

  RecordLines lines_;
  bool has_line_ = false;     // the current line has not been read to its end
  std::size_t position_ = 0;  // of the next residue in it
  UnitBegin unit_;            // the record
  bool starred_ = false;      // its sequence has ended with *
};

}  // namespace elmo

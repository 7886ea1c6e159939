// One of several parts that an input is read in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/text/source/input_files.h"

namespace elmo {

struct InputOptions;

/// Part `number` of `count`, from 0.
struct InputPart {
  std::uint64_t number = 0;
  std::uint64_t count = 1;
  bool operator==(const InputPart&) const = default;
};

/// What a part holds, for those who join parts. Numbers in a part are its own: its first sentence
/// and its first document are 0, the first line is 1, also of a file that it begins inside of.
struct PartCounts {
  std::uint64_t files = 0;      ///< it reads something of
  std::uint64_t documents = 0;  ///< that it begins or goes on with
  /// It goes on with a file that an earlier part began, …
  bool begins_inside = false;
  bool continues_document = false;         ///< … which is a document, too
  std::uint64_t first_file_documents = 0;  ///< the documents of that file here
  /// It ends before a file ends, which has so many line feeds here.
  bool ends_inside = false;
  std::uint64_t lines = 0;
  bool operator==(const PartCounts&) const = default;
};

/// What is read of a file.
struct InputStretch {
  std::string path;
  std::uint64_t begin = 0;             ///< its first byte
  std::optional<std::uint64_t> end;    ///< the byte past its last where that is not the file's end
  std::optional<std::uint64_t> bytes;  ///< as stored; not known for pipes

  bool whole() const { return begin == 0 && !end; }
};

/// What options.part reads of the files: with T stored bytes in all of them, one after the other,
/// part K of N has the units whose first byte lies in [K*T/N, (K+1)*T/N), rounded down. Units are
/// lines, or in free text the paragraphs that begin with a line that goes on with none; of
/// compressed files and CoNLL-U, and under options.whole_documents of all but jsonl, whole files. A
/// file without a byte counts as if it had the next one. Each byte belongs to one part, and what
/// the parts' readers hand out is what one reader does. Reads no more than it takes to find the two
/// ends. RequestError for standard input and pipes; other errors as open_source.
std::vector<InputStretch> stretches_of_part(const std::vector<InputFile>& files,
                                            const InputOptions& options);

}  // namespace elmo

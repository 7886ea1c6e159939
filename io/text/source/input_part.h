// One of several parts that an input is read in.
#pragma once

#include <cstdint>

namespace elmo {

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
  std::uint64_t documents = 0;  ///< that it begins or continues with
  /// It continues with a file that an earlier part began, …
  bool begins_inside = false;
  bool continues_document = false;         ///< … which is a document, too
  std::uint64_t first_file_documents = 0;  ///< the documents of that file here
  /// It ends inside a file, after this many line feeds.
  bool ends_inside = false;
  std::uint64_t lines = 0;
  bool operator==(const PartCounts&) const = default;
};

}  // namespace elmo

// Parts of an input that are read separately.
#pragma once

#include <cstdint>

namespace elmo {

/// Part `number` of `count`, 0-based.
struct InputPart {
  std::uint64_t number = 0;
  std::uint64_t count = 1;
  bool operator==(const InputPart&) const = default;
};

/// Counts of a part, for merging parts. Numbers in a part are relative to it: its first sentence
/// and its first document are 0, and its first line is 1, even if it begins inside a file.
struct PartCounts {
  std::uint64_t files = 0;                 ///< files that it reads from
  std::uint64_t documents = 0;             ///< documents that it begins or continues
  bool begins_inside = false;              ///< it continues a file that an earlier part began
  bool continues_document = false;         ///< that file is one document
  std::uint64_t first_file_documents = 0;  ///< documents of that file in this part
  bool ends_inside = false;                ///< it ends inside a file
  std::uint64_t lines = 0;                 ///< line feeds of that file in this part
  bool operator==(const PartCounts&) const = default;
};

}  // namespace elmo

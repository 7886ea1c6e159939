// Parts of a run that were computed separately, each in its own folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/inference/sentence.h"
#include "io/text/source/input_part.h"

namespace elmo {

/// The name of a part's folder inside the folder of the whole run: "part-00003-of-00064".
std::string part_folder_name(const InputPart& part);

/// Returns the part that a folder name denotes; nothing for names that part_folder_name does not
/// return.
std::optional<InputPart> part_of_folder_name(std::string_view name);

/// "3 of 64, from 0": the component of a part's fingerprint that differs between parts.
std::string part_text(const InputPart& part);

/// The amounts to add to the numbers of a part to convert them to numbers of the whole run.
struct PartBase {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;  ///< rows
  std::uint64_t documents = 0;
  std::uint64_t lines = 0;  ///< added to lines of the part's documents below `line_documents`
  std::uint64_t line_documents = 0;  ///< documents in the file that the part begins inside

  std::uint32_t document(std::uint32_t number) const {
    return static_cast<std::uint32_t>(number + documents);
  }
  /// Converts `line`, a line in document `number` of the part.
  std::uint64_t line(std::uint64_t line, std::uint32_t number) const {
    return line + (number < line_documents ? lines : 0);
  }
  /// Returns a document of the part with the numbers of the whole run.
  Document joined(const Document& document) const;

  bool operator==(const PartBase&) const = default;
};

/// Computes the base of each part, in order. One thread.
class PartBases {
 public:
  /// Returns the base of the next part, given its counts and its numbers of sentences and rows.
  PartBase next(const PartCounts& counts, std::uint64_t sentences, std::uint64_t tokens);

 private:
  std::uint64_t sentences_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t documents_ = 0;
  std::uint64_t lines_ = 0;  ///< lines before the next part in the file that it begins inside
};

}  // namespace elmo

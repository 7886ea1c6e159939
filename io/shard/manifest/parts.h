// Parts of one run that were computed apart, each in a folder of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/inference/sentence.h"
#include "io/text/source/input_part.h"

namespace elmo {

/// "part-00003-of-00064", in the folder of the whole.
std::string part_folder_name(const InputPart& part);

/// The part that a folder's name denotes; nothing for names that part_folder_name does not make.
std::optional<InputPart> part_of_folder_name(std::string_view name);

/// "3 of 64, from 0": the component of a part's fingerprint that the other parts have otherwise.
std::string part_text(const InputPart& part);

/// What is added to the numbers of a part to make them numbers of the whole.
struct PartBase {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;  ///< rows
  std::uint64_t documents = 0;
  std::uint64_t lines = 0;           ///< to those of the part's documents below `line_documents`
  std::uint64_t line_documents = 0;  ///< which stand in the file that it begins inside of

  std::uint32_t document(std::uint32_t number) const {
    return static_cast<std::uint32_t>(number + documents);
  }
  /// The line, in the part `line`, of something of the part's document `number`.
  std::uint64_t line(std::uint64_t line, std::uint32_t number) const {
    return line + (number < line_documents ? lines : 0);
  }
  /// A document of the part as one of the whole.
  Document joined(const Document& document) const;

  bool operator==(const PartBase&) const = default;
};

/// Goes through the parts in their order and returns what is added to each. One thread.
class PartBases {
 public:
  /// Of the next part, with its numbers of sentences and rows.
  PartBase next(const PartCounts& counts, std::uint64_t sentences, std::uint64_t tokens);

 private:
  std::uint64_t sentences_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t documents_ = 0;
  std::uint64_t lines_ = 0;  ///< before the next part in the file that it begins inside of
};

}  // namespace elmo

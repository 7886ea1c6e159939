#include "io/shard/manifest/parts.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"

namespace elmo {
namespace {

constexpr std::string_view kPartPrefix = "part-";
constexpr std::string_view kMiddle = "-of-";
constexpr std::size_t kPartDigits = 5;  // at least; larger numbers have more digits

std::string digits(std::uint64_t number) {
  std::string text = std::to_string(number);
  return text.insert(0, kPartDigits - std::min(kPartDigits, text.size()), '0');
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string part_folder_name(const InputPart& part) {
  return std::string(kPartPrefix) + digits(part.number) + std::string(kMiddle) + digits(part.count);
}

std::optional<InputPart> part_of_folder_name(std::string_view name) {
  const std::size_t middle = name.find(kMiddle);
  if (!name.starts_with(kPartPrefix) || middle == std::string_view::npos) return std::nullopt;
  const auto number = number_of(name.substr(kPartPrefix.size(), middle - kPartPrefix.size()));
  const auto count = number_of(name.substr(middle + kMiddle.size()));
  if (!number || !count || *number >= *count) return std::nullopt;
  const InputPart part{*number, *count};
  return part_folder_name(part) == name ? std::optional(part) : std::nullopt;
}

std::string part_text(const InputPart& part) {
  return std::to_string(part.number) + " of " + std::to_string(part.count) + ", from 0";
}

Document PartBase::joined(const Document& document) const {
  Document joined = document;
  joined.number = this->document(document.number);
  if (document.numbered) {
    const auto in_part = number_of(document.id);
    if (!in_part) throw InputError("a document without an id is called " + document.id);
    joined.id = std::to_string(line(*in_part, document.number));
  }
  return joined;
}

PartBase PartBases::next(const PartCounts& counts, std::uint64_t sentences, std::uint64_t tokens) {
  PartBase base{sentences_, tokens_, documents_, 0, 0};
  if (counts.begins_inside) {
    base.lines = lines_;
    base.line_documents = counts.first_file_documents;
  }
  // A document that continues already has a number.
  if (counts.continues_document) --base.documents;
  sentences_ += sentences;
  tokens_ += tokens;
  documents_ = base.documents + counts.documents;
  if (counts.files > 0) {
    const bool same_file = counts.begins_inside && counts.files == 1;
    lines_ = counts.lines + (same_file ? lines_ : 0);
  }
  return base;
}

}  // namespace elmo

#include "core/model/characters.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/text.h"

namespace elmo {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Rows of the character embedding, before any shift for a mask: bytes 0–255, then the marks.
constexpr std::int32_t kBeginSentenceId = 256;
constexpr std::int32_t kEndSentenceId = 257;
constexpr std::int32_t kBeginWordId = 258;
constexpr std::int32_t kEndWordId = 259;
constexpr std::int32_t kPaddingId = 260;

/// Returns the number of bytes of a character with the lead byte `lead`; 0 if it is not a lead
/// byte.
std::size_t character_bytes(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

/// Sets `ids` to these values, then padding. Returns the number of values.
std::size_t fill_ids(const std::array<std::int32_t, 3>& framed, std::int32_t padding,
                     std::span<std::int32_t> ids) {
  std::fill(std::ranges::copy(framed, ids.begin()).out, ids.end(), padding);
  return framed.size();
}

}  // namespace

char32_t decode_character(std::string_view text, std::size_t& position) {
  const auto lead = static_cast<unsigned char>(text[position++]);
  const std::size_t bytes = character_bytes(lead);
  if (bytes == 1) return lead;
  if (bytes == 0 || text.size() - position < bytes - 1) return kReplacement;
  char32_t character = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 0; i + 1 < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[position + i]);
    if ((next & 0xC0U) != 0x80U) return kReplacement;
    character = character << 6U | (next & 0x3FU);
  }
  position += bytes - 1;
  return character;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t position = 0; position < text.size(); ++count) decode_character(text, position);
  return count;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  if (text.size() <= count) return text;
  std::size_t position = 0;
  for (std::size_t i = 0; i < count && position < text.size(); ++i) {
    decode_character(text, position);
  }
  return text.substr(0, position);
}

CharDictionary::CharDictionary(std::vector<std::string> entries, const CharMarks& marks)
    : entries_(std::move(entries)), marks_(marks) {
  std::unordered_map<std::string_view, std::int32_t> rows;
  rows.reserve(entries_.size());
  for (std::size_t row = 0; row < entries_.size(); ++row) {
    const std::string& entry = entries_[row];
    if (!rows.emplace(entry, static_cast<std::int32_t>(row)).second) {
      throw InputError("the dictionary has the character \"" + excerpt(entry) +
                       "\" twice; expected each once");
    }
    std::size_t end = 0;
    if (entry.empty()) continue;
    const char32_t character = decode_character(entry, end);
    if (end == entry.size()) rows_.emplace(character, static_cast<std::int32_t>(row));
  }
  const auto find = [&](const std::string& mark) {
    const auto row = rows.find(mark);
    if (row != rows.end()) return row->second;
    throw InputError("the dictionary's " + std::to_string(entries_.size()) +
                     " characters do not have " + mark +
                     "; expected the marks of words, sentences, padding and unknown characters");
  };
  begin_sentence_ = find(marks.begin_sentence);
  end_sentence_ = find(marks.end_sentence);
  begin_word_ = find(marks.begin_word);
  end_word_ = find(marks.end_word);
  padding_ = find(marks.padding);
  unknown_ = find(marks.unknown);
}

std::size_t CharDictionary::ids(std::string_view token, std::span<std::int32_t> ids) const {
  const std::string_view kept = first_characters(token, ids.size() - 2);
  if (kept == marks_.begin_sentence) return this->ids(Boundary::begin_sentence, ids);
  if (kept == marks_.end_sentence) return this->ids(Boundary::end_sentence, ids);
  std::size_t count = 0;
  ids[count++] = begin_word_;
  for (std::size_t position = 0; position < kept.size();) {
    const auto row = rows_.find(decode_character(kept, position));
    ids[count++] = row == rows_.end() ? unknown_ : row->second;
  }
  ids[count++] = end_word_;
  std::fill(ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(), padding_);
  return count;
}

std::size_t CharDictionary::ids(Boundary boundary, std::span<std::int32_t> ids) const {
  const bool begins = boundary == Boundary::begin_sentence;
  return fill_ids({begin_word_, begins ? begin_sentence_ : end_sentence_, end_word_}, padding_,
                  ids);
}

std::size_t char_ids(std::string_view token, std::span<std::int32_t> ids) {
  const std::size_t kept = std::min(token.size(), ids.size() - 2);
  ids[0] = kBeginWordId;
  for (std::size_t i = 0; i < kept; ++i) ids[i + 1] = static_cast<unsigned char>(token[i]);
  ids[kept + 1] = kEndWordId;
  std::fill(ids.begin() + static_cast<std::ptrdiff_t>(kept) + 2, ids.end(), kPaddingId);
  return kept + 2;
}

std::size_t char_ids(Boundary boundary, std::span<std::int32_t> ids) {
  const bool begins = boundary == Boundary::begin_sentence;
  return fill_ids({kBeginWordId, begins ? kBeginSentenceId : kEndSentenceId, kEndWordId},
                  kPaddingId, ids);
}

}  // namespace elmo

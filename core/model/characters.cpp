#include "core/model/characters.h"

namespace elmo {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// Returns the number of bytes of a character with the lead byte `lead`; 0 if it is not a lead
/// byte.
std::size_t character_bytes(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
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

}  // namespace elmo

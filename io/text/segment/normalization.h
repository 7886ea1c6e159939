// Unicode normalization (UAX #15): letters that look the same.
#pragma once

#include <string>
#include <string_view>

#include "core/enum_table.h"
#include "core/inference/sentence.h"
#include "io/text/segment/characters.h"

namespace elmo {

/// The form in which a model reads tokens.
enum class Normalization {
  none,  ///< as they are
  nfc,   ///< Normalization Form C: composed letters
  nfkc   ///< Normalization Form KC, which also replaces ligatures, full-width letters and the like,
         ///< without invisible characters (Default_Ignorable_Code_Point)
};

inline constexpr auto kNormalizations = enum_table<Normalization>(
    {{"none", Normalization::none}, {"nfc", Normalization::nfc}, {"nfkc", Normalization::nfkc}});

/// Returns `text`, valid UTF-8, in that form. A text of invisible characters only stays as it is.
/// Any thread.
std::string normalized(std::string_view text, Normalization normalization);

/// Sets the word and the encoded form of the last token, which is `token`, valid UTF-8. Returns
/// true if the encoded form has characters that models hardly know: decomposed letters; letters
/// that are ligatures, full-width, mathematical or the like; and invisible characters other than
/// joiners and variation selectors. Any thread.
bool set_forms(Sentence& sentence, std::string_view token, Normalization normalization);

/// Adds a token, valid UTF-8, with its word and encoded form. Returns what set_forms() returns. Any
/// thread.
inline bool add_token(Sentence& sentence, std::string_view token, ByteSpan span,
                      Normalization normalization = Normalization::none) {
  sentence.add(token, span);
  return !is_ascii(token) && set_forms(sentence, token, normalization);
}

}  // namespace elmo

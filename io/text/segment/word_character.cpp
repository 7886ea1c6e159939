#include "io/text/segment/word_character.h"

#include <unicode/uchar.h>

namespace elmo {

bool is_letter_or_number(std::int32_t code_point) {
  return u_isalpha(code_point) != 0 ||
         u_getIntPropertyValue(code_point, UCHAR_NUMERIC_TYPE) != U_NT_NONE;
}

}  // namespace elmo

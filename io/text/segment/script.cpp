#include "io/text/segment/script.h"

#include <unicode/uscript.h>

#include "io/text/segment/code_points.h"

namespace elmo {

std::string script_of(std::string_view word) {
  for (std::size_t position = 0; position < word.size();) {
    const UChar32 character = next_code_point(word, position);
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(character, &status);
    if (U_FAILURE(status) || script == USCRIPT_COMMON || script == USCRIPT_INHERITED ||
        script == USCRIPT_UNKNOWN) {
      continue;
    }
    return uscript_getShortName(script);
  }
  return "";
}

}  // namespace elmo

// Full stops inside dates.
#pragma once

#include <cstddef>

#include "io/text/segment/token_view.h"

namespace elmo {

/// True if the full stop `at` is part of a date that is written with blanks: 9. 10. 2013 or 2008.
/// 5. 3.
bool is_date_stop(const TokenView& tokens, std::size_t at);

}  // namespace elmo

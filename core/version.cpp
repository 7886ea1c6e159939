#include "core/version.h"

namespace elmo {

std::string_view version() { return ELMO_VERSION; }

}  // namespace elmo

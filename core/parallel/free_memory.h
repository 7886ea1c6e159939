// Whether memory can be had, for libraries that do not ask.
#pragma once

#include <cstddef>

namespace elmo {

/// Throws std::bad_alloc where `bytes` more cannot be had from the system at once. Any thread.
void require_free_memory(std::size_t bytes);

}  // namespace elmo

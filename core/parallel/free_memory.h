// A check that memory is available, for libraries that do not check.
#pragma once

#include <cstddef>

namespace elmo {

/// Throws std::bad_alloc if the system cannot provide `bytes` more memory at once. Any thread.
void require_free_memory(std::size_t bytes);

}  // namespace elmo

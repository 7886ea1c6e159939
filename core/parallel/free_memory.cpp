#include "core/parallel/free_memory.h"

#include <sys/mman.h>

#include <new>

namespace elmo {

void require_free_memory(std::size_t bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  ::munmap(memory, bytes);
}

}  // namespace elmo

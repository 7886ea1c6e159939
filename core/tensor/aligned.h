// Memory for vector code: every buffer starts on a cache line.
//
// Shape letters used in every comment of core: B sentences or lanes, T steps or tokens,
// C character embedding size, F filters, D cell size, P projection size, L layers, V vocabulary,
// R rows of activations per token (2L+1), W width of such a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace elmo {

inline constexpr std::size_t kCacheLine = 64;

/// Allocates 64-byte aligned memory. Trivially constructible values stay uninitialized, so growing
/// a buffer that is overwritten right away costs nothing.
template <typename T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kCacheLine}));
  }
  void deallocate(T* memory, std::size_t) {
    ::operator delete (memory, std::align_val_t{kCacheLine});
  }
  template <typename U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(static_cast<Arguments&&>(arguments)...);
  }

  bool operator==(const AlignedAllocator&) const = default;
};

/// A vector on cache-line boundaries. `AlignedVector<float> v(n)` is uninitialized;
/// `AlignedVector<float> v(n, 0.0F)` is zero.
template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// Grows `buffer` to at least `size` values. New values are zero: products also multiply the
/// padding of their buffers, which must not hold slow or trapping numbers.
template <typename T>
void grow(AlignedVector<T>& buffer, std::int64_t size) {
  if (buffer.size() < static_cast<std::size_t>(size)) {
    buffer.resize(static_cast<std::size_t>(size), T{});
  }
}

}  // namespace elmo

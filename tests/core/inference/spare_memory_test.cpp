#include "core/inference/spare_memory.h"

#include <doctest/doctest.h>

namespace elmo {
namespace {

TEST_CASE("memory that was given is taken again, also for a little more") {
  SpareMemory memory;
  AlignedVector<float> buffer;
  memory.take(buffer, 1600);
  CHECK(buffer.size() == 1600);
  const float* place = buffer.data();
  memory.give(buffer);
  CHECK(buffer.empty());
  memory.take(buffer, 1700);
  CHECK(buffer.size() == 1700);
  CHECK(buffer.data() == place);
}

TEST_CASE("two buffers at a time have memory of their own") {
  SpareMemory memory;
  AlignedVector<float> one;
  AlignedVector<float> other;
  memory.take(one, 100);
  memory.give(one);
  memory.take(one, 100);
  memory.take(other, 100);
  CHECK(one.data() != other.data());
}

TEST_CASE("spare memory that is too small is replaced") {
  SpareMemory memory;
  AlignedVector<float> buffer;
  memory.take(buffer, 10);
  memory.give(buffer);
  memory.take(buffer, 100000);
  CHECK(buffer.size() == 100000);
}

}  // namespace
}  // namespace elmo

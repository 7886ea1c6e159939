// Captures what a sink writes to a stream.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>
#include <thread>

#include "io/files/descriptor.h"

namespace elmo {

/// Returns what `writing` sends through a pipe.
inline std::string piped(const std::function<void(Stream&)>& writing) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  std::string text;
  std::thread reader([&] {
    std::array<char, 4096> block{};
    ssize_t count = 0;
    while ((count = ::read(ends[0], block.data(), block.size())) > 0) {
      text.append(block.data(), static_cast<std::size_t>(count));
    }
  });
  Stream stream(ends[1], "the pipe");
  writing(stream);
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  return text;
}

}  // namespace elmo

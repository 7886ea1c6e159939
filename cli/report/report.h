// Messages of a subcommand on standard error.
#pragma once

#include <cstdint>
#include <iostream>
#include <string>

#include "cli/numbers/human.h"

namespace elmo {

/// Prints messages unless quiet. One thread.
class Report {
 public:
  explicit Report(bool quiet) : quiet_(quiet) {}

  void line(const std::string& text) const {
    if (!quiet_) std::cerr << "elmo: " << text << '\n';
  }

  /// Prints "3 tokens cut"; nothing if `count` is 0.
  void count(std::uint64_t count, const std::string& noun, const std::string& what) const {
    if (count > 0) line(human_count(count, noun) + ' ' + what);
  }

 private:
  bool quiet_;
};

}  // namespace elmo

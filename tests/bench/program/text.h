// The text that `elmo-bench` measures with.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/inference/sentence.h"
#include "io/text/input/text_source.h"
#include "tests/bench/program/result.h"

namespace elmo {

/// The first tokens of the given files, in whole sentences. Without files, a generated text, the
/// same on each call: paragraphs that look like English, in sentences of 6 to 41 tokens. Its words
/// are made up and follow Zipf's law; frequent words are short. One thread at a time.
class BenchText {
 public:
  /// RequestError for standard input, which cannot be read twice.
  explicit BenchText(const BenchFlags& flags);

  std::string name() const;

  /// Calls `use` with the text from its beginning, as embed reads it. May be called any number of
  /// times.
  void read(const std::function<void(SentenceSource&)>& use) const;

 private:
  std::uint64_t tokens_;
  InputOptions options_;
  std::string generated_;
};

}  // namespace elmo

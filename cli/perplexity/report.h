// Perplexity of a text, as text and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "io/engine/perplexity.h"

namespace elmo {

/// Prints results on standard output, each before the next note or progress on standard error. One
/// thread.
class PerplexityReport final : public RunReport {
 public:
  explicit PerplexityReport(bool quiet) : RunReport(quiet) {}

  void note(const Message& line) override;
  void progressed(const RunProgress& progress, double first_fraction) override;

  /// Prints `text` on standard output.
  void print(const std::string& text) { output_.write(text); }
  /// Prints what was cut or repaired in the text, and the speed.
  void ended(const PerplexitySummary& summary);

 private:
  BufferedOutput output_{standard_output()};
};

/// The result as JSON, with numbers in full precision.
std::string perplexity_json(const PerplexitySummary& summary);

/// The result for people, in lines.
std::vector<std::string> perplexity_lines(const PerplexitySummary& summary);

/// A line of JSON for a sentence. All lists begin with <S> and end with </S>. Tokens that a
/// direction does not predict are null. Tokens whose target is `unknown_row` are not in the
/// vocabulary.
std::string prediction_json(const SentencePrediction& prediction, std::int64_t unknown_row);

}  // namespace elmo

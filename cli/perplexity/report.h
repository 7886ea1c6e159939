// Perplexity of a text, as text and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/perplexity/run.h"

namespace elmo {

/// Prints predictions on standard output as they arrive, each before the next progress report.
/// Prints the rest on standard error. One thread.
class PerplexityReport final : public PerplexityListener {
 public:
  explicit PerplexityReport(bool quiet) : run_(quiet) {}

  void note(const std::string& line) override { run_.note(line); }
  void progressed(const RunProgress& progress, double first_fraction) override;
  void progress_ended() override { run_.progress_ended(); }
  void predicted(const SentencePrediction& prediction, std::int64_t unknown_row) override;

  /// Prints the pending predictions.
  void flush() { output_.flush(); }
  /// Prints what was cut or repaired in the text, and the speed.
  void ended(const PerplexitySummary& summary);

 private:
  RunReport run_;
  BufferedOutput output_;
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

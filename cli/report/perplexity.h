// How well a model predicts a text, for people and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/process/standard_output.h"
#include "cli/report/run_report.h"
#include "cli/run/perplexity.h"

namespace elmo {

/// Prints predictions on standard output as they come, each before the next progress; the rest on
/// standard error. One thread.
class PerplexityReport final : public PerplexityListener {
 public:
  explicit PerplexityReport(bool quiet) : run_(quiet) {}

  void note(const std::string& line) override { run_.note(line); }
  void progressed(const RunProgress& progress, double first_fraction) override;
  void progress_ended() override { run_.progress_ended(); }
  void predicted(const SentencePrediction& prediction, std::int64_t unknown_row) override;

  /// Prints the predictions that have not been yet.
  void flush() { output_.flush(); }
  /// Notes what was cut or repaired in the text, and the speed.
  void ended(const PerplexitySummary& summary);

 private:
  RunReport run_;
  BufferedOutput output_;
};

/// The result as JSON, with numbers in full.
std::string perplexity_json(const PerplexitySummary& summary);

/// The result for people, a line each.
std::vector<std::string> perplexity_lines(const PerplexitySummary& summary);

/// A line of JSON for a sentence. All lists begin with <S> and end with </S>; what a direction does
/// not predict is null. Tokens whose target is `unknown_row` are not in the vocabulary.
std::string prediction_json(const SentencePrediction& prediction, std::int64_t unknown_row);

}  // namespace elmo

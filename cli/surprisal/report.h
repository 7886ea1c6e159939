// Surprisals and minimal pairs, as TAB-separated values and JSON Lines.
#pragma once

#include <string>
#include <vector>

#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "io/engine/word_prediction/minimal_pairs.h"
#include "io/engine/word_prediction/surprisal.h"

namespace elmo {

/// Prints results on standard output, each before the next note or progress on standard error. One
/// thread.
class SurprisalReport final : public RunReport {
 public:
  explicit SurprisalReport(bool quiet) : RunReport(quiet) {}

  void note(const Message& line) override;
  void progressed(const RunProgress& progress, double first_fraction) override;

  /// Prints `text` on standard output.
  void print(const std::string& text) { output_.write(text); }
  void flush() { output_.flush(); }

 private:
  BufferedOutput output_{standard_output()};
};

/// The names of the columns of surprisal_rows(), or of sentence_row() if `by_sentence`.
std::string surprisal_header(bool by_sentence);

/// A row per token. Empty cells: what a direction does not predict. The position of <S> is −1.
std::string surprisal_rows(const SentenceSurprisal& found);

/// A row with the sums of a sentence.
std::string sentence_row(const SentenceSurprisal& found);

/// A line of JSON for a sentence, with lists; null is what a direction does not predict.
std::string surprisal_json(const SentenceSurprisal& found);

/// A line of JSON with the sums of a sentence.
std::string sentence_json(const SentenceSurprisal& found);

/// A line of JSON for a pair.
std::string pair_json(const std::vector<std::string>& fields, const MinimalPair& pair);

/// The share of correct pairs in percent, with a line for all pairs and for each value of a field.
std::string pair_table(const std::vector<PairCount>& counts);

}  // namespace elmo

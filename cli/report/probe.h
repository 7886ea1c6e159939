// What `elmo probe` tells.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/analysis/probe/probe_training.h"

namespace elmo {

/// A corpus, and how far the most frequent label of each word goes.
struct ProbeBaseline {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t unseen_labels = 0;  ///< tokens whose label training does not have
  ProbeScore score;
};

struct ProbeSummary {
  std::uint64_t labels = 0;
  std::uint64_t train_sentences = 0;
  std::uint64_t train_tokens = 0;
  ProbeBaseline dev;
  std::optional<ProbeBaseline> test;
};

/// {"layers": {"x": {"dev", "test", "unknown", …}, …}, "most_frequent": {…}, …}
std::string probe_json(const ProbeSummary& summary, std::span<const ProbeResult> results);

/// A table of accuracies by layer, and what they are of.
std::string probe_table(const ProbeSummary& summary, std::span<const ProbeResult> results);

/// An SVG document: accuracies by layer with their intervals, on all and on unknown words.
std::string probe_svg(const ProbeSummary& summary, std::span<const ProbeResult> results);

}  // namespace elmo

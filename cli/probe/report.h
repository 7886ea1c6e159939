// Reports of `elmo probe`.
#pragma once

#include <string>

#include "cli/common/chart.h"
#include "cli/common/reporter.h"
#include "io/engine/probe.h"

namespace elmo {

/// Shows the progress of probes. One thread.
class ProbeReport final : public RunReport {
 public:
  ProbeReport(bool quiet, int epochs) : RunReport(quiet), epochs_(epochs) {}

  void trained(const ProbeProgress& progress);

 private:
  int epochs_;
};

/// {"layers": {"x": {"dev", "test", "unknown", …}, …}, "most_frequent": {…}, …}
std::string probe_json(const ProbeSummary& summary);

/// A table of accuracies by layer, and the sizes of the data.
std::string probe_table(const ProbeSummary& summary);

/// An SVG document: accuracies by layer with their intervals, on all and on unknown words.
std::string probe_svg(const ProbeSummary& summary, const PictureSize& size = {});

}  // namespace elmo

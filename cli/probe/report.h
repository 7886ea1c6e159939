// Reports of `elmo probe`.
#pragma once

#include <string>

#include "cli/common/reporter.h"
#include "cli/probe/run.h"

namespace elmo {

/// Shows the progress of probes. One thread.
class ProbeReport final : public ProbeListener {
 public:
  explicit ProbeReport(bool quiet) : run_(quiet), status_(quiet) {}

  void note(const std::string& line) override { run_.note(line); }
  void progressed(const RunProgress& progress, double first_fraction) override {
    run_.progressed(progress, first_fraction);
  }
  void progress_ended() override;
  void trained(const ProbeProgress& progress, int epochs) override;

 private:
  RunReport run_;
  StatusLine status_;
};

/// {"layers": {"x": {"dev", "test", "unknown", …}, …}, "most_frequent": {…}, …}
std::string probe_json(const ProbeSummary& summary);

/// A table of accuracies by layer, and the sizes of the data.
std::string probe_table(const ProbeSummary& summary);

/// An SVG document: accuracies by layer with their intervals, on all and on unknown words.
std::string probe_svg(const ProbeSummary& summary);

}  // namespace elmo

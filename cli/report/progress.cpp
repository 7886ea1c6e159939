#include "cli/report/progress.h"

#include "cli/numbers/human.h"

namespace elmo {

std::string Progress::describe(const RunProgress& progress) const {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  std::string line = human_count(progress.tokens, "token") + ", " +
                     human_rate(static_cast<double>(progress.tokens), elapsed, "tokens");
  if (progress.fraction) {
    line += ", " + std::to_string(static_cast<int>(*progress.fraction * 100)) + " %";
    const double done = *progress.fraction - first_fraction_;
    if (done > 0) {
      line += ", ETA " + human_time_left(elapsed * ((1 - *progress.fraction) / done));
    }
  }
  if (!progress.output.empty()) line += ", " + progress.output;
  return line;
}

}  // namespace elmo

#include "cli/report/progress.h"

#include <cmath>

#include "cli/numbers/human.h"

namespace elmo {

std::string Progress::describe(const RunProgress& progress) const {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  const double rate = static_cast<double>(progress.tokens) / elapsed.count();
  std::string line = human_count(progress.tokens, "token") + ", " +
                     human_count(static_cast<std::uint64_t>(std::llround(rate))) + " tokens/s";
  if (progress.fraction) {
    line += ", " + std::to_string(static_cast<int>(*progress.fraction * 100)) + " %";
    const double done = *progress.fraction - first_fraction_;
    if (done > 0) {
      const auto left = elapsed * ((1 - *progress.fraction) / done);
      line += ", ETA " + human_time(std::chrono::ceil<std::chrono::seconds>(left));
    }
  }
  if (!progress.output.empty()) line += ", " + progress.output;
  return line;
}

}  // namespace elmo

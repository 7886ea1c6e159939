#include "cli/report/progress.h"

#include <cmath>

#include "cli/human.h"

namespace elmo {

std::string Progress::describe(const Status& status) const {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  const double rate = static_cast<double>(status.tokens) / elapsed.count();
  std::string line = human_count(status.tokens, "token") + ", " +
                     human_count(static_cast<std::uint64_t>(std::llround(rate))) + " tokens/s";
  if (status.fraction) {
    line += ", " + std::to_string(static_cast<int>(*status.fraction * 100)) + " %";
    const double done = *status.fraction - first_fraction_;
    if (done > 0) {
      const auto left = elapsed * ((1 - *status.fraction) / done);
      line += ", ETA " + human_time(std::chrono::ceil<std::chrono::seconds>(left));
    }
  }
  if (!status.output.empty()) line += ", " + status.output;
  return line;
}

}  // namespace elmo

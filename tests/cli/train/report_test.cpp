#include "cli/train/report.h"

#include <doctest/doctest.h>

#include <limits>

using namespace elmo;

TEST_CASE("A dry run that took no time has a rate and a time") {
  DryTraining found;
  found.tokens_per_second = std::numeric_limits<double>::infinity();
  found.seconds = std::numeric_limits<double>::infinity();
  const std::string text = dry_training_text(found);
  CHECK_MESSAGE(
      text.find("about 277777 h 46 min to the end, at 1,000,000,000,000,000,000 tokens/s") !=
          std::string::npos,
      text);
}

#include "io/train/metrics_log.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "core/error.h"
#include "io/train/checkpoint.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TrainingRecord training_record(std::uint64_t step) {
  const auto number = static_cast<double>(step);
  return {step, step * 7, 1.0 / (number + 3), 10.0 / (number + 7), 1e-3F / 3, number / 9, 0.1};
}

TEST_CASE("records read back as the same numbers") {
  const TempDir folder;
  const std::filesystem::path path = folder / "progress.jsonl";
  const double infinite = std::numeric_limits<double>::infinity();
  {
    MetricsLog log(path);
    CHECK_FALSE(log.begin(0));
    log.add(training_record(10));
    log.add(ValidationRecord{10, 99, 1.0 / 3, infinite, 1e300, 2.5});
    log.sync();
  }
  const MetricsRecords records = read_progress(path);
  REQUIRE(records.training.size() == 1);
  REQUIRE(records.validation.size() == 1);
  const TrainingRecord expected = training_record(10);
  const TrainingRecord& found = records.training[0];
  CHECK(found.step == expected.step);
  CHECK(found.tokens == expected.tokens);
  CHECK(found.loss_forward == expected.loss_forward);
  CHECK(found.loss_backward == expected.loss_backward);
  CHECK(found.learning_rate == expected.learning_rate);
  CHECK(found.gradient_norm == expected.gradient_norm);
  CHECK(found.seconds == expected.seconds);
  const ValidationRecord& validation = records.validation[0];
  CHECK(validation.tokens == 99);
  CHECK(validation.forward == 1.0 / 3);
  CHECK(std::isnan(validation.backward));
  CHECK(validation.average == 1e300);
  CHECK(validation.seconds == 2.5);
}

TEST_CASE("a deeply nested state is refused without following it") {
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  BilmState state;
  CHECK_THROWS_WITH_AS(
      read_state({0, 0, {}, {}, "12.5 [" + deep + ",1,2,3,4,5]"}, state),
      "the means of the last steps: nests deeper than 32 levels; expected six numbers", InputError);
}

TEST_CASE("a resumed log loses only the records of later steps") {
  const TempDir folder;
  const std::filesystem::path path = folder / "progress.jsonl";
  std::string first_part;
  {
    MetricsLog log(path);
    CHECK_FALSE(log.begin(0));
    log.add(training_record(10));
    log.add(ValidationRecord{10, 1, 2, 3, 4, 5});
    log.add(training_record(20));
    first_part = content_of(path);
    log.add(training_record(30));
    log.add(ValidationRecord{30, 1, 2, 3, 4, 5});
  }
  std::ofstream(path, std::ios::app) << "{\"step\": 3";  // left by a killed run
  {
    MetricsLog log(path);
    const std::optional<ValidationRecord> last = log.begin(25);
    REQUIRE(last);
    CHECK(last->step == 10);
    CHECK(content_of(path) == first_part);
    CHECK(log.records().training.size() == 2);
    CHECK(log.records().validation.size() == 1);
    log.add(training_record(30));
  }
  CHECK(read_progress(path).training.back().step == 30);
}

TEST_CASE("a malformed line is named") {
  const TempDir folder;
  const std::filesystem::path path = folder / "progress.jsonl";
  {
    MetricsLog log(path);
    log.begin(0);
    log.add(training_record(10));
  }
  for (const char* line : {"[]", "{\"step\": -}", "{\"step\": 20, \"seconds\": 1}", ""}) {
    CAPTURE(line);
    const std::string whole = content_of(path);
    std::ofstream(path, std::ios::app) << line << '\n';
    CHECK_THROWS_WITH_AS(read_progress(path), doctest::Contains("line 2"), InputError);
    std::ofstream(path, std::ios::binary) << whole;
  }
}

TEST_CASE("means survive a checkpoint without losing a bit") {
  const auto step = [](std::uint64_t number) {
    StepResult result;
    result.step = number;
    result.loss[0] = 1.0 / static_cast<double>(number + 1);
    result.loss[1] = std::sqrt(static_cast<double>(number));
    result.gradient_norm = 1.0 / 3;
    result.learning_rate = 1e-3F / static_cast<float>(number);
    return result;
  };
  StepMeans whole;
  StepMeans parts;
  for (std::uint64_t number = 1; number <= 7; ++number) {
    whole.add(step(number));
    BilmState read;
    read_state(checkpoint_of(BilmState{{}, parts, 0.0}), read);
    parts = read.means;
    parts.add(step(number));
  }
  const TrainingRecord expected = whole.take(70, 1.0);
  const TrainingRecord found = parts.take(70, 1.0);
  CHECK(found.step == 7);
  CHECK(found.loss_forward == expected.loss_forward);
  CHECK(found.loss_backward == expected.loss_backward);
  CHECK(found.gradient_norm == expected.gradient_norm);
  CHECK(found.learning_rate == expected.learning_rate);
  CHECK(parts == StepMeans());
  for (const char* text : {"1.5 [1, 2]", ""}) {
    BilmState read;
    CHECK_THROWS_AS(read_state({0, 0, {}, {}, text}, read), InputError);
  }
}

TEST_CASE("a learner's state has the text that earlier versions wrote") {
  StepMeans means;
  means.steps = 2;
  means.last_step = 12;
  means.loss_forward = 1.5;
  means.loss_backward = 2.25;
  means.gradient_norm = 0.1;
  means.learning_rate = 0.5F;
  const std::string text = "12.250000 [2,12,1.5,2.25,0.1,0.5]";
  CHECK(checkpoint_of(BilmState{{}, means, 12.25}).metadata == text);
  BilmState read;
  read_state({12, 34, {}, {}, text}, read);
  CHECK(read.means == means);
  CHECK(read.seconds == 12.25);
  CHECK(read.counters.step == 12);
  CHECK(read.counters.tokens == 34);
}

}  // namespace
}  // namespace elmo

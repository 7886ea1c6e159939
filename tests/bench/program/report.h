// Results of `elmo-bench` as text and JSON.
#pragma once

#include <string>

#include "tests/bench/program/result.h"
#include "tests/bench/program/task.h"
#include "tests/bench/program/train.h"

namespace elmo {

std::string bench_table(const BenchFlags& flags, const BenchResult& result);
std::string bench_table(const BenchFlags& flags, const TrainBenchResult& result);

std::string bench_json(const BenchFlags& flags, const BenchResult& result);
std::string bench_json(const BenchFlags& flags, const TrainBenchResult& result);

std::string bench_table(const BenchFlags& flags, const TaskBenchResult& result);
std::string bench_json(const BenchFlags& flags, const TaskBenchResult& result);

}  // namespace elmo

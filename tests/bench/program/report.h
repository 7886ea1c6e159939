// What `elmo-bench` has measured, for people and for programs.
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

#include "core/tasks/common/task_corpus.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace elmo {
namespace {

std::vector<TaskRecord> records_of(std::initializer_list<int> labels) {
  std::vector<TaskRecord> records;
  for (const int label : labels) records.push_back({{0}, {}, {label}});
  return records;
}

TEST_CASE("labels get the shares that they have elsewhere") {
  // Counted once more than they are: 2, 4 and 1 of 7 here; 2, 2 and 2 of 6 there. Label 3 was never
  // learned.
  std::vector<TaskRecord> records = records_of({0, 1, 1, 1});
  weigh_labels(records_of({2, 0, 3, 1, 3}), 3, records);
  std::array<double, 2> sums{};
  for (const TaskRecord& record : records) {
    CHECK(record.weight > 0.0F);
    sums[static_cast<std::size_t>(record.labels[0])] += double{record.weight};
  }
  CHECK(sums[0] + sums[1] == doctest::Approx(4.0));
  CHECK(double{records[0].weight} / double{records[1].weight} == doctest::Approx(2.0));
  CHECK(records[1].weight == records[3].weight);
}

TEST_CASE("labels of the same shares weigh 1") {
  std::vector<TaskRecord> records = records_of({0, 1, 1, 2, 2, 2});
  weigh_labels(records_of({2, 2, 1, 0, 1, 2}), 3, records);
  for (const TaskRecord& record : records) CHECK(record.weight == 1.0F);
}

TEST_CASE("a corpus gives the weights with its examples") {
  std::vector<CorpusText> texts(1);
  texts[0].sentence.add("a", {});
  texts[0].words = {0};
  std::vector<TaskRecord> records = records_of({0, 1});
  records[1].weight = 2.5F;
  TaskCorpus corpus(texts, records, nullptr);
  const std::vector<std::uint64_t> indices{1, 0};
  const TaskBatch batch = corpus.load(indices);
  CHECK(batch[0].weight == 2.5F);
  CHECK(batch[1].weight == 1.0F);
}

}  // namespace
}  // namespace elmo

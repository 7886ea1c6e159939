#include "core/tasks/common/label_shares.h"

#include <vector>

namespace elmo {
namespace {

/// The share of the examples that have label i, for each of the first `labels`, with add-one
/// smoothing.
std::vector<double> shares_of(std::span<const TaskRecord> records, std::size_t labels) {
  std::vector<double> counts(labels, 1.0);
  auto sum = static_cast<double>(labels);
  for (const TaskRecord& record : records) {
    const auto label = static_cast<std::size_t>(record.labels.front());
    if (label >= labels) continue;
    counts[label] += 1.0;
    sum += 1.0;
  }
  for (double& count : counts) count /= sum;
  return counts;
}

}  // namespace

void weigh_labels(std::span<const TaskRecord> like, std::size_t labels,
                  std::span<TaskRecord> records) {
  const std::vector<double> wanted = shares_of(like, labels);
  const std::vector<double> found = shares_of(records, labels);
  double sum = 0.0;
  const auto weight_of = [&](const TaskRecord& record) {
    const auto label = static_cast<std::size_t>(record.labels.front());
    return wanted[label] / found[label];
  };
  for (const TaskRecord& record : records) sum += weight_of(record);
  const double mean = sum / static_cast<double>(records.size());
  for (TaskRecord& record : records) record.weight = static_cast<float>(weight_of(record) / mean);
}

}  // namespace elmo

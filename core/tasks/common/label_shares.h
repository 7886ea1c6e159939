// Example weights that correct for a different distribution of labels.
#pragma once

#include <cstddef>
#include <span>

#include "core/tasks/common/task_corpus.h"

namespace elmo {

/// Sets the weights of `records` so that each label has the same share of the total weight as it
/// has of the examples `like`. If labels are distributed differently, a model of one data set is
/// biased for the other (importance weights for label shift, Lipton et al. 2018, section 2). Each
/// record has one label, among the first `labels`. The mean weight is 1. One is added to the count
/// of each label, so that no weight is 0. Other labels of `like` are ignored.
void weigh_labels(std::span<const TaskRecord> like, std::size_t labels,
                  std::span<TaskRecord> records);

}  // namespace elmo

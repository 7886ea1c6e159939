// Examples that count by how frequent their labels are elsewhere.
#pragma once

#include <cstddef>
#include <span>

#include "core/tasks/common/task_corpus.h"

namespace elmo {

/// Sets the weights of `records`, whose labels are one of the first `labels` each, so that each
/// label has the share of all weights that it has of the examples `like`: where labels are
/// distributed differently, a model of the one data is biased for the other (importance weights for
/// a shift of labels, Lipton et al. 2018, section 2). The mean weight is 1. So that none becomes 0,
/// each label counts once more than there are examples of it; other labels of `like` are passed
/// over.
void weigh_labels(std::span<const TaskRecord> like, std::size_t labels,
                  std::span<TaskRecord> records);

}  // namespace elmo

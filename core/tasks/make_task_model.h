// Task models of all kinds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/word_vocabulary.h"

namespace elmo {

/// A model of that kind, all parameters zero. `words` has to outlive it. Of a tagger the labels
/// decide which may follow each other.
std::unique_ptr<TaskModel> make_task_model(const TaskOptions& options, const WordVocabulary& words,
                                           const std::vector<std::string>& labels);

}  // namespace elmo

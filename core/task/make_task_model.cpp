#include "core/task/make_task_model.h"

#include <stdexcept>

#include "core/task/tagger.h"

namespace elmo {

std::unique_ptr<TaskModel> make_task_model(const TaskOptions& options, const WordVocabulary& words,
                                           const std::vector<std::string>& labels) {
  switch (options.kind) {
    case TaskKind::tag:
      return std::make_unique<Tagger>(options, words, label_transitions(labels));
    case TaskKind::classify:
    case TaskKind::pair:
      break;
  }
  throw std::logic_error("no model of that kind");
}

}  // namespace elmo

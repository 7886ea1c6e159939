#include "core/tasks/make_task_model.h"

#include <cstdint>

#include "core/tasks/classify/text_classifier.h"
#include "core/tasks/pair/pair_classifier.h"
#include "core/tasks/tag/tagger.h"

namespace elmo {

std::unique_ptr<TaskModel> make_task_model(const TaskOptions& options, const WordVocabulary& words,
                                           const std::vector<std::string>& labels) {
  const auto count = static_cast<std::int64_t>(labels.size());
  switch (options.kind) {
    case TaskKind::tag:
      return std::make_unique<Tagger>(options, words, label_transitions(labels));
    case TaskKind::classify:
      return std::make_unique<TextClassifier>(options, words, count);
    case TaskKind::pair:
      return std::make_unique<PairClassifier>(options, words, count);
  }
  return nullptr;
}

}  // namespace elmo

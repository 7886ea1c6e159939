#include "core/analysis/probe/label_corpus.h"

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "core/tasks/common/known_labels.h"
#include "core/tasks/common/task_kind.h"

namespace elmo {

WordLabels::WordLabels(LabelledSource& train) {
  std::unordered_map<std::string, Counts> counts;
  Counts all;
  LabelledSentence labelled;
  while (train.next(labelled)) {
    for (std::size_t token = 0; token < labelled.labels.size(); ++token) {
      const auto next = static_cast<std::int32_t>(names_.size());
      const auto [entry, is_new] = numbers_.try_emplace(labelled.labels[token], next);
      if (is_new) names_.push_back(labelled.labels[token]);
      if (names_.size() > kMaxLabels) {
        throw InputError(train.name() + ": line " +
                         std::to_string(labelled.sentence.line_of(token)) + ": found more than " +
                         std::to_string(kMaxLabels) + " labels; expected fewer kinds of them");
      }
      ++counts[std::string(labelled.sentence.token(token))][entry->second];
      ++all[entry->second];
    }
  }
  if (names_.size() == 1) {
    throw InputError(train.name() + ": found one label only, '" + names_[0] +
                     "'; expected at least two");
  }
  best_of_all_ = most_frequent(all);
  for (const auto& [word, labels] : counts) best_.emplace(word, most_frequent(labels));
}

std::int32_t WordLabels::most_frequent(const Counts& counts) {
  return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })
      ->first;
}

LabelCorpus WordLabels::corpus(LabelledSource& source) const {
  LabelCorpus corpus;
  KnownLabels known;
  LabelledSentence labelled;
  while (source.next(labelled)) {
    for (std::size_t token = 0; token < labelled.labels.size(); ++token) {
      const auto label = numbers_.find(labelled.labels[token]);
      known.add(labelled.labels[token], label != numbers_.end());
      corpus.labels.push_back(label == numbers_.end() ? -1 : label->second);
      const auto word = best_.find(std::string(labelled.sentence.token(token)));
      corpus.unknown.push_back(word == best_.end());
      corpus.by_word.push_back(word == best_.end() ? best_of_all_ : word->second);
    }
    corpus.begins.push_back(corpus.labels.size());
  }
  known.check(source.name());
  return corpus;
}

}  // namespace elmo

#include "core/analysis/probe/label_corpus.h"

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "core/tasks/common/known_labels.h"
#include "core/tasks/common/task_kind.h"

namespace elmo {

WordLabels::WordLabels(LabeledSource& train) {
  std::unordered_map<std::string, Counts> counts;
  Counts all;
  LabeledSentence labeled;
  while (train.next(labeled)) {
    for (std::size_t token = 0; token < labeled.labels.size(); ++token) {
      const auto next = static_cast<std::int32_t>(names_.size());
      const auto [entry, is_new] = numbers_.try_emplace(labeled.labels[token], next);
      if (is_new) names_.push_back(labeled.labels[token]);
      if (names_.size() > kMaxLabels) {
        throw InputError(train.name() + ": line " +
                         std::to_string(labeled.sentence.line_of(token)) + ": found more than " +
                         std::to_string(kMaxLabels) + " labels; expected fewer kinds of them");
      }
      ++counts[std::string(labeled.sentence.token(token))][entry->second];
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

LabelCorpus WordLabels::corpus(LabeledSource& source) const {
  LabelCorpus corpus;
  KnownLabels known;
  LabeledSentence labeled;
  while (source.next(labeled)) {
    for (std::size_t token = 0; token < labeled.labels.size(); ++token) {
      const auto label = numbers_.find(labeled.labels[token]);
      known.add(labeled.labels[token], label != numbers_.end());
      corpus.labels.push_back(label == numbers_.end() ? -1 : label->second);
      const auto word = best_.find(std::string(labeled.sentence.token(token)));
      corpus.unknown.push_back(word == best_.end());
      corpus.by_word.push_back(word == best_.end() ? best_of_all_ : word->second);
    }
    corpus.begins.push_back(corpus.labels.size());
  }
  known.check(source.name());
  return corpus;
}

}  // namespace elmo

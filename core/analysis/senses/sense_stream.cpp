#include "core/analysis/senses/sense_stream.h"

#include <algorithm>
#include <utility>

namespace elmo {

bool SenseStream::next(Sentence& sentence) {
  SenseSentence read;
  do {
    if (!read_(read)) return false;
    std::erase_if(read.instances, [this](const SenseInstance& at) { return !wanted_(at); });
  } while (read.instances.empty());
  sentence = std::move(read.sentence);
  const std::lock_guard lock(mutex_);
  on_the_way_.push_back(std::move(read.instances));
  return true;
}

void SenseStream::write(const ActivationBatch& batch) {
  const std::size_t values =
      batch.activations.size() / std::max<std::size_t>(1, batch.token_count());
  std::span<const float> rest = batch.activations;
  for (const Sentence& sentence : batch.sentences) {
    std::vector<SenseInstance> instances;
    {
      const std::lock_guard lock(mutex_);
      instances = std::move(on_the_way_.front());
      on_the_way_.pop_front();
    }
    for (const SenseInstance& instance : instances) {
      const float share = 1.0F / static_cast<float>(instance.end - instance.begin);
      mean_.assign(values, 0.0F);
      for (std::size_t token = instance.begin; token < instance.end; ++token) {
        const std::span<const float> vector = rest.subspan(token * values, values);
        for (std::size_t i = 0; i < values; ++i) mean_[i] += share * vector[i];
      }
      take_(instance, mean_);
    }
    rest = rest.subspan(sentence.size() * values);
  }
}

}  // namespace elmo

#include "core/tasks/common/task_corpus.h"

#include <algorithm>
#include <utility>

namespace elmo {

namespace {

// Tokens that are read at once.
constexpr std::uint64_t kBlockTokens = 4096;

}  // namespace

TaskCorpus::TaskCorpus(std::span<const TaskRecord> records, ActivationSource* activations,
                       std::uint64_t kept_bytes)
    : records_(records), activations_(activations) {
  for (const TaskRecord& record : records_) tokens_ += record.tokens();
  if (activations_ == nullptr) return;
  const auto width = static_cast<std::uint64_t>(activations_->layout().values_per_token());
  const std::uint64_t tokens = activations_->token_count();
  if (tokens > kept_bytes / (width * sizeof(float))) return;
  kept_.resize(tokens * width);
  for (std::uint64_t first = 0; first < tokens; first += kBlockTokens) {
    const std::uint64_t end = std::min(first + kBlockTokens, tokens);
    activations_->read_activations({first, end},
                                   std::span(kept_).subspan(first * width, (end - first) * width));
  }
}

// `read`: numbers of read_ that are taken.
std::span<const float> TaskCorpus::activations_of(std::uint64_t sentence, std::size_t& read) {
  const auto width = static_cast<std::size_t>(activations_->layout().values_per_token());
  const TokenRange tokens = activations_->tokens_of(sentence);
  const std::size_t size = tokens.size() * width;
  if (!kept_.empty()) return std::span(kept_).subspan(tokens.begin * width, size);
  const auto to = std::span(read_).subspan(read, size);
  activations_->read_activations(tokens, to);
  read += size;
  return to;
}

TaskBatch TaskCorpus::load(std::span<const std::uint64_t> indices) {
  if (activations_ != nullptr && kept_.empty()) {
    std::uint64_t tokens = 0;
    for (const std::uint64_t index : indices) tokens += records_[index].tokens();
    grow(read_, static_cast<std::int64_t>(tokens) * activations_->layout().values_per_token());
  }
  std::size_t read = 0;
  batch_.clear();
  for (const std::uint64_t index : indices) {
    const TaskRecord& record = records_[index];
    TaskExample example;
    example.text = {&record.text, record.words, {}};
    if (!record.second_words.empty()) example.second = {&record.second, record.second_words, {}};
    example.labels = record.labels;
    if (activations_ != nullptr) {
      example.text.activations = activations_of(record.sentence, read);
      if (example.second.sentence != nullptr) {
        example.second.activations = activations_of(record.second_sentence, read);
      }
    }
    batch_.push_back(example);
  }
  return batch_;
}

}  // namespace elmo

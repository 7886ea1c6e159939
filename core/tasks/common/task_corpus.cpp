#include "core/tasks/common/task_corpus.h"

#include <algorithm>
#include <utility>

namespace elmo {
namespace {

// Number of tokens to read at once.
constexpr std::uint64_t kBlockTokens = 4096;

}  // namespace

TaskCorpus::TaskCorpus(std::span<const CorpusText> texts, std::span<const TaskRecord> records,
                       ActivationSource* activations, std::uint64_t kept_bytes)
    : texts_(texts), records_(records), activations_(activations) {
  for (std::uint64_t index = 0; index < records_.size(); ++index) tokens_ += tokens_of(index);
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

std::uint64_t TaskCorpus::tokens_of(std::uint64_t index) const {
  std::uint64_t tokens = 0;
  for (const std::uint64_t text : records_[index].texts) tokens += texts_[text].words.size();
  return tokens;
}

// Activations that were read for another example of the batch are not read again.
std::span<const float> TaskCorpus::activations_of(std::uint64_t text) {
  const auto width = static_cast<std::size_t>(activations_->layout().values_per_token());
  const TokenRange tokens = activations_->tokens_of(text);
  const std::size_t size = tokens.size() * width;
  if (!kept_.empty()) return std::span(kept_).subspan(tokens.begin * width, size);
  const auto [found, is_new] = read_texts_.try_emplace(text);
  if (is_new) {
    const std::span<float> to = std::span(read_).subspan(read_values_, size);
    activations_->read_activations(tokens, to);
    read_values_ += size;
    found->second = to;
  }
  return found->second;
}

TaskBatch TaskCorpus::load(std::span<const std::uint64_t> indices) {
  std::size_t texts = 0;
  std::uint64_t tokens = 0;
  for (const std::uint64_t index : indices) {
    texts += records_[index].texts.size();
    tokens += tokens_of(index);
  }
  if (activations_ != nullptr && kept_.empty()) {
    grow(read_, static_cast<std::int64_t>(tokens) * activations_->layout().values_per_token());
  }
  read_texts_.clear();
  read_values_ = 0;
  batch_.clear();
  batch_texts_.clear();
  batch_texts_.reserve(texts);  // examples have views of it
  for (const std::uint64_t index : indices) {
    const TaskRecord& record = records_[index];
    const std::size_t first = batch_texts_.size();
    for (const std::uint64_t number : record.texts) {
      const CorpusText& text = texts_[number];
      batch_texts_.push_back({&text.sentence, text.words, {}});
      if (activations_ != nullptr) batch_texts_.back().activations = activations_of(number);
    }
    batch_.push_back({std::span(batch_texts_).subspan(first), record.gold.get(), record.weight});
  }
  return batch_;
}

namespace {

std::size_t label_of(const TaskRecord& record) {
  return static_cast<std::size_t>(record.gold->as<LabelGold>().labels.front());
}

/// Returns, for each of the first `labels` labels, its share of the examples, with add-one
/// smoothing.
std::vector<double> shares_of(std::span<const TaskRecord> records, std::size_t labels) {
  std::vector<double> counts(labels, 1.0);
  auto sum = static_cast<double>(labels);
  for (const TaskRecord& record : records) {
    const std::size_t label = label_of(record);
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
    const std::size_t label = label_of(record);
    return wanted[label] / found[label];
  };
  for (const TaskRecord& record : records) sum += weight_of(record);
  const double mean = sum / static_cast<double>(records.size());
  for (TaskRecord& record : records) record.weight = static_cast<float>(weight_of(record) / mean);
}

}  // namespace elmo

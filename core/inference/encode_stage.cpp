#include "core/inference/encode_stage.h"

#include <algorithm>
#include <span>

#include "core/model/token_encoder.h"

namespace elmo {
namespace {

// Bytes of an entry besides its text and values: list and hash nodes, allocator overhead.
constexpr std::size_t kEntryOverhead = 192;

}  // namespace

TokenCache::TokenCache(std::int64_t width, std::size_t max_bytes)
    : width_(static_cast<std::size_t>(width)), max_bytes_(max_bytes) {}

std::size_t TokenCache::bytes_of(std::string_view token) const {
  return token.size() + width_ * sizeof(float) + kEntryOverhead;
}

bool TokenCache::find(std::string_view token, float* to) {
  const std::lock_guard lock(mutex_);
  const auto found = by_token_.find(token);
  if (found == by_token_.end()) return false;
  entries_.splice(entries_.begin(), entries_, found->second);
  std::copy(found->second->vector.begin(), found->second->vector.end(), to);
  return true;
}

void TokenCache::insert(std::string_view token, const float* vector) {
  const std::lock_guard lock(mutex_);
  if (bytes_of(token) > max_bytes_ || by_token_.contains(token)) return;
  entries_.push_front({std::string(token), AlignedVector<float>(vector, vector + width_)});
  by_token_.emplace(entries_.front().token, entries_.begin());
  bytes_ += bytes_of(token);
  while (bytes_ > max_bytes_) {
    const Entry& oldest = entries_.back();
    bytes_ -= bytes_of(oldest.token);
    by_token_.erase(oldest.token);
    entries_.pop_back();
  }
}

EncodeStage::EncodeStage(const Bilm& model, std::size_t cache_bytes)
    : model_(model),
      width_(static_cast<std::size_t>(model.options().lstm.projection_dim)),
      row_values_(static_cast<std::size_t>(model.options().activation_rows()) * width_),
      cache_(model.options().lstm.projection_dim, cache_bytes) {}

std::vector<PipelineSteps::Job> EncodeStage::jobs(Batch& batch) {
  batch.vectors.resize(batch.distinct.size() * width_);
  for (std::size_t i = 0; i < batch.distinct.size(); ++i) {
    if (!cache_.find(batch.distinct[i], batch.vectors.data() + i * width_)) {
      batch.to_encode.push_back(i);
    }
  }
  std::vector<PipelineSteps::Job> jobs;
  for (std::size_t first = 0; first < batch.to_encode.size(); first += kEncoderTokens) {
    jobs.emplace_back([this, &batch, first](Workspace& ws) { encode(batch, first, ws); });
  }
  return jobs;
}

void EncodeStage::encode(Batch& batch, std::size_t first, Workspace& workspace) {
  const auto indices =
      std::span(batch.to_encode)
          .subspan(first, std::min(kEncoderTokens, batch.to_encode.size() - first));
  std::vector<std::string_view> tokens;
  for (const std::size_t index : indices) tokens.push_back(batch.distinct[index]);
  std::vector<float> vectors(tokens.size() * width_);
  model_.encoder().encode(tokens, vectors.data(), workspace.encoder);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const float* vector = vectors.data() + i * width_;
    std::copy_n(vector, width_, batch.vectors.data() + indices[i] * width_);
    cache_.insert(tokens[i], vector);
  }
}

void EncodeStage::fill_rows(Batch& batch, SpareMemory& memory) const {
  memory.take(batch.activations, batch.row_count * row_values_);
  const auto vector_of = [&](std::uint32_t token) -> const float* {
    if (token == Batch::kBegin) return model_.encoder().begin_sentence().data();
    if (token == Batch::kEnd) return model_.encoder().end_sentence().data();
    return batch.vectors.data() + token * width_;
  };
  for (std::uint32_t row = 0; row < batch.row_count; ++row) {
    std::copy_n(vector_of(batch.token_of_row[row]), width_,
                batch.activations.data() + row * row_values_);
  }
  AlignedVector<float>().swap(batch.vectors);
}

}  // namespace elmo

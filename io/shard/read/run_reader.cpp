#include "io/shard/read/run_reader.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "io/files/paths.h"
#include "io/shard/read/open_shard.h"

namespace elmo {
namespace {

/// Few enough for a low limit on open files, enough for random access among neighbors.
constexpr std::size_t kOpenShards = 8;

}  // namespace

RunReader::RunReader(const std::filesystem::path& folder)
    : folder_(folder), manifest_(require_manifest(folder)), first_tokens_{0}, first_sentences_{0} {
  for (const ShardEntry& shard : manifest_.shards) {
    first_tokens_.push_back(first_tokens_.back() + shard.tokens);
    first_sentences_.push_back(first_sentences_.back() + shard.sentences);
  }
}

std::uint64_t RunReader::sentence_end() const { return first_sentences_.back(); }

std::size_t RunReader::shard_of(std::uint64_t sentence) const {
  if (sentence >= sentence_end()) throw std::logic_error("a sentence past the end was asked for");
  const auto after = std::ranges::upper_bound(first_sentences_, sentence);
  return static_cast<std::size_t>(after - first_sentences_.begin()) - 1;
}

ShardReader& RunReader::open(std::size_t shard) {
  const auto found = std::ranges::find(open_, shard, [](const auto& entry) { return entry.first; });
  if (found != open_.end()) {
    std::rotate(open_.begin(), found, found + 1);
    return *open_.front().second;
  }
  open_.emplace_front(shard, open_shard(folder_, manifest_, shard));
  if (open_.size() > kOpenShards) open_.pop_back();
  return *open_.front().second;
}

TokenRange RunReader::tokens_of(std::uint64_t number) {
  const std::size_t shard = shard_of(number);
  ShardReader& reader = open(shard);
  const TokenRange range =
      reader.tokens_of(reader.sentence_begin() + number - first_sentences_[shard]);
  return {first_tokens_[shard] + range.begin, first_tokens_[shard] + range.end};
}

void RunReader::read(std::uint64_t number, const BlockLimit& limit, ActivationBlock& block) {
  const std::size_t shard = shard_of(number);
  ShardReader& reader = open(shard);
  reader.read(reader.sentence_begin() + number - first_sentences_[shard], limit, block);
  block.first_sentence = number;
}

template <typename Read>
void RunReader::for_each_shard(TokenRange tokens, Read read) {
  if (tokens.begin > tokens.end || tokens.end > token_count()) {
    throw std::logic_error("tokens past the end were asked for");
  }
  // The shard with the first token; shards without tokens have the same first token as the next
  // shard.
  std::size_t shard =
      static_cast<std::size_t>(std::ranges::upper_bound(first_tokens_, tokens.begin) -
                               first_tokens_.begin()) -
      1;
  for (std::uint64_t begin = tokens.begin; begin < tokens.end; ++shard) {
    const std::uint64_t end = std::min(tokens.end, first_tokens_[shard + 1]);
    read(open(shard), TokenRange{begin - first_tokens_[shard], end - first_tokens_[shard]});
    begin = end;
  }
}

void RunReader::read_activations(TokenRange tokens, std::span<float> values) {
  const auto token_values = static_cast<std::size_t>(layout().values_per_token());
  for_each_shard(tokens, [&](ShardReader& shard, TokenRange range) {
    const std::size_t count = range.size() * token_values;
    shard.read_activations(range, values.first(count));
    values = values.subspan(count);
  });
}

std::vector<std::string> RunReader::read_tokens(TokenRange tokens) {
  std::vector<std::string> texts;
  for_each_shard(tokens, [&](ShardReader& shard, TokenRange range) {
    for (std::string& text : shard.read_tokens(range)) texts.push_back(std::move(text));
  });
  return texts;
}

std::unique_ptr<ActivationSource> open_activations(const std::filesystem::path& path) {
  if (is_folder(path)) return std::make_unique<RunReader>(path);
  return std::make_unique<ShardReader>(h5::Reader(path));
}

}  // namespace elmo

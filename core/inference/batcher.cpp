#include "core/inference/batcher.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/model/token_encoder.h"

namespace elmo {

namespace {

struct TokensHash {
  std::size_t operator()(const Sentence* sentence) const {
    return std::hash<std::string_view>()(sentence->characters());
  }
};

struct TokensEqual {
  bool operator()(const Sentence* a, const Sentence* b) const { return a->same_input(*b); }
};

// Average number of bytes of a token's text.
constexpr std::uint64_t kTextBytesPerRow = 6;

// Returns the number of tokens per batch such that full batches fill a segment. A small batch at
// its end would take as many steps as the others for few tokens.
std::size_t even_batch_tokens(const BatchOptions& options) {
  if (options.segment_bytes == 0 || options.unit) return options.batch_tokens;
  const std::uint64_t segment_tokens =
      options.segment_bytes / (options.bytes_per_row + kTextBytesPerRow) + 1;
  const std::uint64_t batches = segment_tokens / options.batch_tokens + 1;
  // Slightly more than the share, because the average is not exact.
  return std::min(options.batch_tokens,
                  static_cast<std::size_t>(segment_tokens / batches * 51 / 50 + 1));
}

}  // namespace

Batcher::Batcher(const Bilm& model, SentenceSource& source, BatchOptions options,
                 std::uint64_t first_sentence, std::function<bool(const Batch&)> ends_early,
                 const std::atomic<bool>& stopped)
    : model_(model),
      source_(source),
      options_(options),
      next_sentence_(first_sentence),
      ends_early_(std::move(ends_early)),
      stopped_(stopped),
      in_segment_(first_sentence == 0) {
  options_.batch_tokens = even_batch_tokens(options);
}

// Returns the number of rows to compute for a sentence.
std::uint32_t Batcher::row_count(const Sentence& sentence) const {
  const bool with_boundaries = options_.with_boundaries && sentence.size() > 0;
  return static_cast<std::uint32_t>(sentence.size() + (with_boundaries ? 2 : 0));
}

// Adds the pending sentence to the batch. Returns false if it does not fit.
bool Batcher::take(Batch& batch) {
  std::uint64_t bytes = options_.bytes_per_row;
  bool may_end = true;
  if (!options_.unit) {
    bytes = pending_.kept_count() * options_.bytes_per_row + pending_.token_bytes();
  } else if (options_.unit == PoolUnit::document && document_ == pending_.document->number) {
    bytes = 0;
    may_end = false;
  }
  if (options_.segment_bytes > 0 && segment_bytes_ > 0 && may_end &&
      segment_bytes_ + bytes > options_.segment_bytes) {
    batch.ends_segment = true;
    return false;
  }
  // Sentences without tokens and text take memory too, if less, so a batch must not collect them
  // without limit.
  const std::uint32_t rows = row_count(pending_);
  const bool full = std::size_t{batch.row_count} + rows > options_.batch_tokens ||
                    batch.sentences.size() >= options_.batch_tokens ||
                    batch.text_bytes + pending_.token_bytes() > options_.text_bytes;
  if (full && !batch.sentences.empty()) return false;
  segment_bytes_ += bytes;
  if (options_.unit == PoolUnit::document) document_ = pending_.document->number;
  batch.passed_tokens += pending_.size();
  batch.tokens += pending_.size();
  batch.row_count += rows;
  batch.text_bytes += pending_.token_bytes();
  batch.sentences.push_back(std::move(pending_));
  batch.numbers.push_back(next_sentence_++);
  pending_ = Sentence();
  has_pending_ = false;
  return true;
}

std::unique_ptr<Batch> Batcher::next() {
  auto batch = std::make_unique<Batch>();
  batch->first_sentence = next_sentence_;
  bool ended_early = false;
  while (true) {
    ended_early = !has_pending_ && ends_early_(*batch);
    if (ended_early && batch->sentences.empty()) return nullptr;
    if (!ended_early && !has_pending_) has_pending_ = source_.next(pending_);
    if (!has_pending_) break;
    if (options_.leave_out && pending_.is_left_out()) {
      if (stopped_) return nullptr;  // a batch may take much text to fill
      batch->passed_tokens += pending_.size();
      has_pending_ = false;
      ++next_sentence_;
    } else if (!take(*batch)) {
      break;
    }
  }
  if (!has_pending_ && !ended_early) {  // the input has ended
    if (batch->sentences.empty() && !in_segment_) return nullptr;
    batch->ends_segment = true;
  }
  in_segment_ = !batch->ends_segment;
  if (batch->ends_segment) {
    segment_bytes_ = 0;
    document_.reset();
  }
  batch->next_sentence = next_sentence_;
  lay_out(*batch);
  return batch;
}

RowReach Batcher::reach_of(const Sentence& sentence, const SentenceRows& rows) const {
  if (rows.size == 0) return {rows.begin, rows.begin};
  if (options_.whole_sentences || sentence.keeps_all() || sentence.is_left_out()) {
    return {rows.begin, rows.begin + rows.size - 1};
  }
  const auto row_of = [&](std::size_t kept) {
    const std::size_t token = sentence.kept_token(kept) + (options_.with_boundaries ? 1 : 0);
    return rows.begin + static_cast<std::uint32_t>(token);
  };
  return {row_of(0), row_of(sentence.kept_count() - 1)};
}

void Batcher::lay_out(Batch& batch) const {
  std::unordered_map<const Sentence*, std::size_t, TokensHash, TokensEqual> seen;
  std::unordered_map<std::string_view, std::size_t> index_of;
  const TokenEncoder& encoder = model_.encoder();
  std::vector<std::uint64_t> uses;  // uses of each distinct token
  std::uint32_t next_row = 0;
  for (std::size_t s = 0; s < batch.sentences.size(); ++s) {
    const Sentence& sentence = batch.sentences[s];
    const bool with_boundaries = options_.with_boundaries && sentence.size() > 0;
    const SentenceRows rows{next_row, row_count(sentence)};
    batch.rows.push_back(rows);
    next_row += rows.size;
    batch.copy_of.emplace_back();
    const RowReach reach = reach_of(sentence, rows);
    batch.reach.push_back(reach);
    if (options_.find_duplicates && sentence.size() > 0) {
      const auto [original, is_new] = seen.emplace(&sentence, s);
      if (!is_new) {
        batch.copy_of.back() = original->second;
        RowReach& whole = batch.reach[original->second];
        const std::uint32_t begin = batch.rows[original->second].begin;
        whole.first = std::min(whole.first, begin + reach.first - rows.begin);
        whole.last = std::max(whole.last, begin + reach.last - rows.begin);
      }
    }
    if (with_boundaries) batch.token_of_row.push_back(Batch::kBegin);
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      const std::string_view token = sentence.encoded(t);
      const auto [entry, is_new] = index_of.emplace(token, batch.distinct.size());
      if (is_new) {
        batch.distinct.push_back(token);
        uses.push_back(0);
      }
      ++uses[entry->second];
      batch.token_of_row.push_back(static_cast<std::uint32_t>(entry->second));
    }
    if (with_boundaries) batch.token_of_row.push_back(Batch::kEnd);
  }
  for (std::size_t i = 0; i < batch.distinct.size(); ++i) {
    if (encoder.truncates(batch.distinct[i])) batch.truncated_tokens += uses[i];
    if (encoder.is_unknown(batch.distinct[i])) batch.unknown_tokens += uses[i];
  }
}

}  // namespace elmo

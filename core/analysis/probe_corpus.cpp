#include "core/analysis/probe_corpus.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/kernels/random.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_kind.h"
#include "core/text.h"

namespace elmo {

namespace {

/// Calls take(sentence, token, label) for each token of a source of labeled tokens, and
/// end_sentence() after each sentence.
template <typename Take, typename EndSentence>
void each_label(ExampleSource& source, const Take& take, const EndSentence& end_sentence) {
  for (ExampleGroup group; source.next(group);) {
    for (const TaskRecord& record : group.records) {
      const std::vector<std::int32_t>& labels = record.gold->as<LabelGold>().labels;
      for (std::size_t token = 0; token < labels.size(); ++token) {
        take(group.texts.front(), token, labels[token]);
      }
    }
    end_sentence();
  }
}

}  // namespace

WordLabels::WordLabels(ExampleSource& train, const LabelSet& labels) : labels_(labels) {
  std::unordered_map<std::string, Counts> counts;
  Counts all;
  each_label(
      train,
      [&](const Sentence& sentence, std::size_t token, std::int32_t label) {
        if (static_cast<std::size_t>(label) >= kMaxLabels) {
          throw InputError(train.name() + ": line " + std::to_string(sentence.line_of(token)) +
                           ": found more than " + std::to_string(kMaxLabels) +
                           " labels; expected fewer kinds of them");
        }
        ++counts[std::string(sentence.word(token))][label];
        ++all[label];
      },
      [] {});
  size_ = all.size();
  if (size_ == 1) {
    throw InputError(train.name() + ": found one label only, '" + excerpt(labels[0]) +
                     "'; expected at least two");
  }
  best_of_all_ = most_frequent(all);
  for (const auto& [word, frequencies] : counts) best_.emplace(word, most_frequent(frequencies));
}

std::int32_t WordLabels::most_frequent(const Counts& counts) {
  return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })
      ->first;
}

LabelCorpus WordLabels::corpus(ExampleSource& source) const {
  LabelCorpus corpus;
  KnownLabels known;
  each_label(
      source,
      [&](const Sentence& sentence, std::size_t token, std::int32_t label) {
        const bool is_known = static_cast<std::size_t>(label) < size_;
        known.add(labels_[label], is_known);
        corpus.labels.push_back(is_known ? label : -1);
        const auto word = best_.find(std::string(sentence.word(token)));
        corpus.unknown.push_back(word == best_.end());
        corpus.by_word.push_back(word == best_.end() ? best_of_all_ : word->second);
      },
      [&] { corpus.begins.push_back(corpus.labels.size()); });
  known.check(source.name());
  return corpus;
}

namespace {

constexpr std::uint64_t kRun = 256;
constexpr std::uint64_t kKeptBytes = std::uint64_t{64} << 20;

std::uint64_t kept_tokens(const ActivationLayout& layout) {
  const auto bytes = static_cast<std::uint64_t>(layout.values_per_token()) * sizeof(float);
  return std::max(kKeptBytes / bytes, kRun);
}

}  // namespace

TokenStream::TokenStream(ActivationSource& source, std::uint64_t seed)
    : TokenStream(source, seed, kRun, kept_tokens(source.layout())) {}

TokenStream::TokenStream(ActivationSource& source, std::uint64_t seed, std::uint64_t run,
                         std::uint64_t kept)
    : source_(source), seed_(seed), run_(run), runs_at_once_(kept / run) {}

void TokenStream::begin_epoch(std::uint64_t epoch) {
  epoch_ = epoch;
  next_run_ = 0;
}

bool TokenStream::next() {
  const std::uint64_t all = source_.token_count();
  const std::uint64_t runs = (all + run_ - 1) / run_;
  if (next_run_ == runs) return false;
  const Permutation order(runs, random_key(seed_, RandomUse::shuffle, 2 * epoch_));
  const std::uint64_t end_run = std::min(next_run_ + runs_at_once_, runs);
  std::vector<TokenRange> parts;
  std::uint64_t size = 0;
  for (std::uint64_t run = next_run_; run < end_run; ++run) {
    const std::uint64_t begin = order(run) * run_;
    parts.push_back({begin, std::min(begin + run_, all)});
    size += parts.back().size();
  }
  const Permutation positions(
      size, random_bits(random_key(seed_, RandomUse::shuffle, 2 * epoch_ + 1), next_run_));
  const auto values = static_cast<std::size_t>(source_.layout().values_per_token());
  tokens_.resize(size);
  shuffled_.resize(size * values);
  std::uint64_t number = 0;
  for (const TokenRange& part : parts) {
    read_.resize(part.size() * values);
    source_.read_activations(part, read_);
    for (std::uint64_t i = 0; i < part.size(); ++i, ++number) {
      const std::uint64_t position = positions(number);
      tokens_[position] = part.begin + i;
      std::copy_n(read_.data() + i * values, values, shuffled_.data() + position * values);
    }
  }
  next_run_ = end_run;
  return true;
}

namespace {

constexpr std::size_t kSamples = 1000;
constexpr std::size_t kTail = 25;  // samples beyond each bound

}  // namespace

ProbeScore score_labels(const LabelCorpus& corpus, std::span<const std::int32_t> predicted,
                        std::uint64_t seed) {
  ProbeScore score;
  const std::size_t sentences = corpus.sentences();
  std::vector<std::uint64_t> correct(sentences, 0);
  std::uint64_t all_correct = 0;
  std::uint64_t unknown_correct = 0;
  for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
    for (std::size_t token = corpus.begins[sentence]; token < corpus.begins[sentence + 1];
         ++token) {
      const bool right = predicted[token] == corpus.labels[token];
      if (right) ++correct[sentence];
      if (!corpus.unknown[token]) continue;
      ++score.unknown_tokens;
      if (right) ++unknown_correct;
    }
    all_correct += correct[sentence];
  }
  score.accuracy = AgreementCounts::percent(all_correct, corpus.tokens());
  score.unknown = AgreementCounts::percent(unknown_correct, score.unknown_tokens);

  std::array<double, kSamples> samples{};
  const std::uint64_t key = random_key(seed, RandomUse::bootstrap, 0);
  std::uint64_t drawn = 0;
  for (double& sample : samples) {
    std::uint64_t tokens = 0;
    std::uint64_t right = 0;
    for (std::size_t i = 0; i < sentences; ++i) {
      const std::size_t sentence = random_bits(key, drawn++) % sentences;
      tokens += corpus.begins[sentence + 1] - corpus.begins[sentence];
      right += correct[sentence];
    }
    sample = AgreementCounts::percent(right, tokens);
  }
  std::ranges::sort(samples);
  score.low = samples[kTail];
  score.high = samples[kSamples - 1 - kTail];
  return score;
}

}  // namespace elmo

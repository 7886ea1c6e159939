#include "io/engine/word_prediction/surprisal.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/json/json.h"
#include "io/json/json_fields.h"
#include "io/labeled/example_file.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/encoding.h"
#include "io/text/input/input_files.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

/// The sum of values [begin, end) that are numbers.
double sum_of_numbers(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  double result = 0;
  for (std::size_t i = begin; i < end; ++i) result += std::isnan(values[i]) ? 0 : values[i];
  return result;
}

}  // namespace

PredictedText run_surprisal(const SurprisalRequest& request, RunListener& listener,
                            const SurprisalListener& found) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> forward;
  std::vector<double> backward;
  std::uint64_t unknown = 0;
  PredictedText text = predict_text(request, listener, [&](const SentencePrediction& prediction) {
    forward.clear();
    backward.clear();
    for (const double log_probability : prediction.forward) {
      if (forward.empty()) forward.push_back(kNone);
      forward.push_back(-request.base * log_probability);
    }
    for (const double log_probability : prediction.backward) {
      backward.push_back(-request.base * log_probability);
    }
    if (!backward.empty()) backward.push_back(kNone);
    unknown += prediction.unknown_tokens(0, prediction.targets.size());
    const std::size_t margin = request.boundaries || forward.empty() ? 0 : 1;
    const std::size_t end = forward.size() - margin;
    found({prediction, forward, backward, margin, end, sum_of_numbers(forward, margin, end),
           sum_of_numbers(backward, margin, end)});
  });
  note_unknown(listener, unknown, text.vocabulary);
  return text;
}

namespace {

/// Pairs whose sentences have been read but not predicted. Any thread.
class WaitingPairs {
 public:
  void add(MinimalPair pair) {
    const std::lock_guard lock(mutex_);
    pair.number = added_++;
    pairs_.push_back(std::move(pair));
  }
  MinimalPair take() {
    const std::lock_guard lock(mutex_);
    MinimalPair pair = std::move(pairs_.front());
    pairs_.pop_front();
    return pair;
  }

 private:
  std::mutex mutex_;
  std::deque<MinimalPair> pairs_;
  std::uint64_t added_ = 0;
};

/// Bytes of a stream that somebody else uses, too.
class SharedBytes final : public ByteSource {
 public:
  explicit SharedBytes(std::shared_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {}

  std::size_t read(char* data, std::size_t size) override { return bytes_->read(data, size); }
  bool would_wait() const override { return bytes_->would_wait(); }

 private:
  std::shared_ptr<ByteSource> bytes_;
};

/// Passes the pairs of a file through as JSON Lines for TextSource: on the line of each pair, a
/// record whose text has a line for each sentence. One thread.
class PairLines final : public ByteSource {
 public:
  /// `fields`: of the good and the bad sentence and to count by; the latter must be there if
  /// `required`. All arguments must outlive it.
  PairLines(std::unique_ptr<ByteSource> bytes, std::string file,
            const std::vector<std::string>& fields, bool required, WaitingPairs& pairs)
      : source_(std::move(bytes)),
        file_(std::move(file)),
        fields_(fields),
        required_(required),
        pairs_(pairs),
        window_(lines_of_array(std::make_unique<SharedBytes>(source_))) {
    pass_over_byte_order_mark(window_, file_);
    is_json_ = begins_with_json(window_, {"{"});
  }

  std::size_t read(char* data, std::size_t size) override {
    if (sent_ == record_.size() && !next_record()) return 0;
    const std::size_t count = std::min(size, record_.size() - sent_);
    std::memcpy(data, record_.data() + sent_, count);
    sent_ += count;
    return count;
  }
  bool would_wait() const override { return sent_ == record_.size() && source_->would_wait(); }

 private:
  bool next_record() {
    return name_errors(file_, [&] {
      if (!lines_.next()) {
        if (has_pairs_) return false;
        throw InputError("found no pair; expected a record with the fields '" + fields_[0] +
                         "' and '" + fields_[1] + "', or two columns, per line");
      }
      try {
        record_ = record_of_line() + '\n';
      } catch (const InputError& error) {
        throw InputError(in_line(lines_.number()) + error.message());
      }
      sent_ = 0;
      return true;
    });
  }

  /// Returns the record, or nothing for a blank line.
  std::string record_of_line() {
    line_.assign(lines_.line());
    if (is_blank_line(line_.text()) && !lines_.too_long()) return "";
    std::vector<std::string> values = is_json_ ? values_of_record() : values_of_columns();
    for (std::string& text : std::span(values).first(2)) {
      // More bytes may be more than one sentence.
      if (text.size() > kDefaultMaxSentenceTokens) {
        throw InputError("found a text of " + std::to_string(text.size()) +
                         " bytes; expected at most " + std::to_string(kDefaultMaxSentenceTokens));
      }
      std::ranges::replace(text, '\n', ' ');
      if (is_blank_line(text)) throw InputError("found a text without any word; expected words");
    }
    const std::string text = values[0] + '\n' + values[1];
    values.erase(values.begin(), values.begin() + 2);
    pairs_.add({0, file_, lines_.number(), std::move(values)});
    has_pairs_ = true;
    return "{\"text\":" + json_text(text) + '}';
  }

  std::vector<std::string> values_of_record() const {
    std::vector<std::string> values;
    for (const JsonField& field : parse_json_fields(line_.text(), fields_)) {
      const bool is_sentence = values.size() < 2;
      if (!field.is_text() && (is_sentence || required_)) {
        refuse_field(field, fields_[values.size()],
                     is_sentence ? "a string" : "a string or a number");
      }
      values.push_back(field.text);
    }
    return values;
  }

  std::vector<std::string> values_of_columns() const {
    const std::vector<std::string_view> cells = split(line_.text(), '\t');
    if (cells.size() != 2 || required_) {
      throw InputError("found " + human_count(cells.size(), "column") +
                       "; expected two, the good and the bad sentence" +
                       (required_ ? ", and JSON for fields to count by" : ""));
    }
    std::vector<std::string> values(cells.begin(), cells.end());
    values.resize(fields_.size());
    return values;
  }

  std::shared_ptr<ByteSource> source_;  // the window gives it up at the end of the stream
  std::string file_;
  const std::vector<std::string>& fields_;
  bool required_;
  WaitingPairs& pairs_;
  ByteWindow window_;
  RecordLines lines_{window_};
  RepairedText line_;
  bool is_json_ = false;
  bool has_pairs_ = false;
  std::string record_;
  std::size_t sent_ = 0;  // bytes of record_
};

/// Puts the sums of the sentences together to pairs, and counts these.
class PairCounter {
 public:
  /// `fields`: to count by. All arguments must outlive it.
  PairCounter(WaitingPairs& waiting, std::span<const std::string> fields, double base)
      : waiting_(waiting), fields_(fields), base_(base) {}

  /// Adds the next sentence. Returns its pair if it is complete.
  const MinimalPair* add(const SentencePrediction& prediction) {
    if (prediction.forward.empty()) {
      throw InputError(waiting_.take().file + ": " + in_line(prediction.sentence.line) +
                       "found a text without any word; expected words");
    }
    unknown_ += prediction.unknown_tokens(0, prediction.targets.size());
    const double forward = sum_of(prediction.forward);
    const double backward = sum_of(prediction.backward);
    const std::array sums = {forward, backward, forward + backward};
    is_bad_ = !is_bad_;
    if (!is_bad_) {
      pair_.bad = sums;
      count();
      return &pair_;
    }
    pair_ = waiting_.take();
    pair_.good = sums;
    return nullptr;
  }

  std::uint64_t unknown() const { return unknown_; }

  /// See PairSummary::counts.
  std::vector<PairCount> counts() const {
    std::vector<PairCount> counts{all_};
    for (const auto& [key, group] : groups_) {
      counts.push_back(group);
      counts.back().field = fields_[key.first];
      counts.back().value = key.second;
    }
    return counts;
  }

 private:
  double sum_of(std::span<const double> log_probabilities) const {
    return -base_ * std::accumulate(log_probabilities.begin(), log_probabilities.end(), 0.0);
  }

  void count() {
    add_to(all_);
    for (std::size_t field = 0; field < fields_.size(); ++field) {
      const std::string& value = pair_.values[field];
      if (!value.empty()) add_to(groups_[{field, value}]);
    }
  }

  void add_to(PairCount& to) const {
    ++to.pairs;
    for (std::size_t score = 0; score < kPairScores; ++score) {
      to.correct[score] += pair_.good[score] < pair_.bad[score] ? 1 : 0;
      to.ties[score] += pair_.good[score] == pair_.bad[score] ? 1 : 0;
    }
  }

  WaitingPairs& waiting_;
  std::span<const std::string> fields_;
  double base_;
  bool is_bad_ = false;  // whether the next sentence is the bad one
  MinimalPair pair_;
  PairCount all_;
  std::map<std::pair<std::size_t, std::string>, PairCount> groups_;  // by field and value
  std::uint64_t unknown_ = 0;
};

}  // namespace

PairSummary run_minimal_pairs(const PairRequest& request, RunListener& listener,
                              const PairListener& found) {
  const std::vector<std::string> blimp = {"UID", "linguistics_term"};
  const std::vector<std::string>& by = request.by.empty() ? blimp : request.by;
  std::vector<std::string> fields{request.good, request.bad};
  fields.insert(fields.end(), by.begin(), by.end());

  WordPredictionRequest reading = static_cast<const WordPredictionRequest&>(request);
  reading.input.format = InputFormat::jsonl;
  reading.input.lines = true;
  const FileList files = list_input_files(request.input.files);
  std::size_t file = 0;  // opened next, in order
  WaitingPairs waiting;
  PairCounter counter(waiting, by, request.base);
  PairSummary summary;
  summary.text = predict_text(
      reading, listener,
      [&](const SentencePrediction& prediction) {
        const MinimalPair* const pair = counter.add(prediction);
        if (pair != nullptr && found) found(by, *pair);
      },
      [&](std::unique_ptr<ByteSource> bytes) {
        return std::make_unique<PairLines>(std::move(bytes), files.path(file++), fields,
                                           !request.by.empty(), waiting);
      });
  summary.counts = counter.counts();
  note_unknown(listener, counter.unknown(), summary.text.vocabulary);
  return summary;
}

}  // namespace elmo

// A sentence in the pipeline: its tokens and their position in the source.
//
// Interface for reading sentences. io implements it; the pipeline reads from one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elmo {

/// Half-open range of bytes in the source document, before any repair of its encoding.
struct ByteSpan {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const ByteSpan&) const = default;
};

/// The document of a sentence: a file or a record of a file.
struct Document {
  std::uint32_t number = 0;  ///< 0-based, in the order of the input
  std::string id;            ///< file name as given, or the record's id field; UTF-8 without NUL
  bool numbered = false;     ///< a record without an id; `id` is its line number
};

/// The tokens of one sentence, valid UTF-8, in one buffer. It may have no tokens: an empty line is
/// a sentence of zero tokens, so that it keeps its number. (A file without any text has no
/// sentence.)
struct Sentence {
  std::shared_ptr<const Document> document;
  std::uint64_t line = 0;         ///< 1-based line of the source file where the sentence begins
  std::string source;             ///< its source text, repaired, if the reader keeps it
  bool begins_paragraph = false;  ///< in free text

  /// The line of a token as set by begin_line(), else the line of the sentence.
  std::uint64_t line_of(std::size_t token) const {
    const auto after = std::upper_bound(
        line_begins_.begin(), line_begins_.end(), token,
        [](std::size_t number, const LineBegin& begin) { return number < begin.token; });
    return after == line_begins_.begin() ? line : std::prev(after)->line;
  }

  std::size_t size() const { return ends_.size(); }
  std::string_view token(std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(characters_).substr(begin, ends_[index] - begin);
  }
  const std::vector<ByteSpan>& spans() const { return spans_; }
  std::size_t token_bytes() const { return characters_.size(); }  ///< UTF-8 bytes of all tokens

  void add(std::string_view token, ByteSpan span) {
    characters_ += token;
    ends_.push_back(characters_.size());
    spans_.push_back(span);
  }
  /// Sets the line of the source for all tokens.
  void stand_in_line(std::uint64_t number) {
    line = number;
    line_begins_.clear();
  }
  /// Sets the line of the source for tokens added from now on.
  void begin_line(std::uint64_t number) { line_begins_.push_back({size(), number}); }
  /// Adds `<S>` before the first and `</S>` after the last token, with empty spans at the edges.
  void add_boundaries() {
    static constexpr std::string_view kBegin = "<S>";
    const ByteSpan first = spans_.empty() ? ByteSpan{} : spans_.front();
    characters_.insert(0, kBegin);
    for (std::size_t& end : ends_) end += kBegin.size();
    ends_.insert(ends_.begin(), kBegin.size());
    spans_.insert(spans_.begin(), ByteSpan{first.begin, first.begin});
    add("</S>", {spans_.back().end, spans_.back().end});
    for (LineBegin& begin : line_begins_) ++begin.token;
    if (kept_) {
      for (std::uint32_t& token : *kept_) ++token;
    }
  }

  /// Sets the tokens to keep, by ascending indices; only their activations are output. By default,
  /// all tokens are kept.
  void keep(std::vector<std::uint32_t> tokens) { kept_ = std::move(tokens); }
  bool keeps_all() const { return !kept_; }
  std::size_t kept_count() const { return kept_ ? kept_->size() : size(); }
  /// The token index of kept token number `index`.
  std::size_t kept_token(std::size_t index) const { return kept_ ? (*kept_)[index] : index; }
  /// Whether the sentence is left out of the output although it may have tokens. A sentence with no
  /// tokens that keeps all of them is not left out.
  bool is_left_out() const { return kept_ && kept_->empty(); }

  /// The tokens, joined by one space.
  std::string text() const {
    std::string joined;
    for (std::size_t index = 0; index < size(); ++index) {
      if (index > 0) joined += ' ';
      joined += token(index);
    }
    return joined;
  }

  /// Whether both have the same tokens, regardless of their positions.
  bool same_tokens(const Sentence& other) const {
    return characters_ == other.characters_ && ends_ == other.ends_;
  }

  /// All tokens, concatenated without separators.
  std::string_view characters() const { return characters_; }

  void clear() {
    source.clear();
    characters_.clear();
    ends_.clear();
    spans_.clear();
    line_begins_.clear();
    kept_.reset();
    begins_paragraph = false;
  }

 private:
  struct LineBegin {
    std::size_t token;
    std::uint64_t line;
  };

  std::string characters_;
  std::vector<std::size_t> ends_;
  std::vector<ByteSpan> spans_;
  std::vector<LineBegin> line_begins_;  // in order; for sentences that span several lines
  std::optional<std::vector<std::uint32_t>> kept_;
};

/// Thrown if reading is stopped while it waits for more input: the input has not ended.
struct ReadingStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class SentenceSource {
 public:
  virtual ~SentenceSource() = default;

  /// Clears `sentence`, reads the next sentence of the run into it and returns true, or returns
  /// false at the end of the input. Returns every sentence of the run, including those without kept
  /// tokens. Documents are in the order of their numbers; those without sentences, such as empty
  /// files, are skipped. Memory is bounded for any input. Throws InputError (bad data), SystemError
  /// (failed read) or ReadingStopped; do not read again after an exception.
  virtual bool next(Sentence& sentence) = 0;

  /// Returns whether next() would have to wait for input. Never waits itself, and does not affect
  /// what next() reads. For the reading thread.
  virtual bool next_would_wait() { return false; }

  /// From now on, next() throws ReadingStopped instead of waiting, even if it is already waiting.
  /// Any thread.
  virtual void stop_waiting() {}
};

}  // namespace elmo

// Sentences: their tokens, their position in the input, and where they come from.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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
  bool begins_paragraph = false;  ///< free text only

  /// The line of a token as set by begin_line(), else the line of the sentence.
  std::uint64_t line_of(std::size_t token) const;

  std::size_t size() const { return ends_.size(); }
  std::string_view token(std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(characters_).substr(begin, ends_[index] - begin);
  }
  /// The token as words are compared: canonically equivalent tokens are the same word.
  std::string_view word(std::size_t index) const {
    const Forms* const forms = forms_of(index);
    return forms != nullptr ? std::string_view(forms->word) : token(index);
  }
  /// The token as the model reads it, which may be normalized.
  std::string_view encoded(std::size_t index) const {
    const Forms* const forms = forms_of(index);
    return forms != nullptr ? std::string_view(forms->encoded) : token(index);
  }
  const std::vector<ByteSpan>& spans() const { return spans_; }
  std::size_t token_bytes() const { return characters_.size(); }  ///< UTF-8 bytes of all tokens

  void add(std::string_view token, ByteSpan span) {
    characters_ += token;
    ends_.push_back(characters_.size());
    spans_.push_back(span);
  }
  /// Adds a token of another sentence.
  void add(const Sentence& other, std::size_t token);
  /// Sets word() and encoded() of the last token.
  void set_forms(std::string word, std::string encoded);
  /// Adds the words of the contraction at `span`: de and le for du. Each has the whole span.
  void add_contraction(std::string_view text, std::span<const std::string> words, ByteSpan span);
  /// Sets the line of the source for all tokens.
  void set_line(std::uint64_t number) {
    line = number;
    line_begins_.clear();
  }
  /// Sets the line of the source for tokens added from now on.
  void begin_line(std::uint64_t number) { line_begins_.push_back({size(), number}); }
  /// Adds `<S>` before the first and `</S>` after the last token, with empty spans at the edges.
  void add_boundaries();

  /// Sets the tokens to keep, by ascending indices; only their activations are output. By default,
  /// all tokens are kept.
  void keep(std::vector<std::uint32_t> tokens) { kept_ = std::move(tokens); }
  bool keeps_all() const { return !kept_; }
  std::size_t kept_count() const { return kept_ ? kept_->size() : size(); }
  /// The token index of kept token number `index`.
  std::size_t kept_token(std::size_t index) const { return kept_ ? (*kept_)[index] : index; }
  /// Returns whether the sentence is left out of the output although it may have tokens. A sentence
  /// with no tokens that keeps all of them is not left out.
  bool is_left_out() const { return kept_ && kept_->empty(); }

  /// Returns all tokens, or tokens [begin, end), joined by single spaces.
  std::string text() const { return text(0, size()); }
  std::string text(std::size_t begin, std::size_t end) const;

  /// Returns whether both have the same tokens, regardless of their positions.
  bool same_tokens(const Sentence& other) const {
    return characters_ == other.characters_ && ends_ == other.ends_;
  }
  /// Returns whether the model also reads both alike.
  bool same_input(const Sentence& other) const {
    return same_tokens(other) && forms_ == other.forms_;
  }

  /// A word of the text that is replaced by several tokens: du by de and le.
  struct Contraction {
    std::size_t begin;  ///< the first of these tokens
    std::size_t end;    ///< after the last one
    std::string text;   ///< as in the source
  };
  const std::vector<Contraction>& contractions() const { return contractions_; }  ///< in order

  /// The memory of words, encoded tokens and contractions that differ from tokens, in bytes.
  std::size_t extra_bytes() const;

  /// All tokens, concatenated without separators.
  std::string_view characters() const { return characters_; }

  void clear();

 private:
  struct LineBegin {
    std::size_t token;
    std::uint64_t line;
  };
  struct Forms {
    std::size_t token;
    std::string word;
    std::string encoded;
    bool operator==(const Forms&) const = default;
  };

  const Forms* forms_of(std::size_t token) const;

  std::string characters_;
  std::vector<std::size_t> ends_;
  std::vector<ByteSpan> spans_;
  std::vector<LineBegin> line_begins_;  // in order; for sentences that span several lines
  std::vector<Contraction> contractions_;
  std::vector<Forms> forms_;  // in order; of tokens that differ from one of their forms
  std::optional<std::vector<std::uint32_t>> kept_;
};

/// Thrown if reading is stopped while it waits for input that has not ended.
struct ReadingStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Time to wait for the next item before treating it as not yet available. Delays an awaited answer
/// by up to this.
inline constexpr std::chrono::microseconds kArrivalTime{200};

/// Interface for reading sentences. io implements it; the pipeline reads from one thread.
class SentenceSource {
 public:
  virtual ~SentenceSource() = default;

  /// Clears `sentence`, reads the next sentence of the run into it and returns true, or returns
  /// false at the end of the input. Returns every sentence of the run, including those without kept
  /// tokens. Documents are in the order of their numbers; those without sentences, such as empty
  /// files, are skipped. Memory is bounded for any input. Throws InputError (bad data), SystemError
  /// (failed read) or ReadingStopped; do not read again after an exception.
  virtual bool next(Sentence& sentence) = 0;

  /// Waits at most `time` for input; returns true if next() need not wait for more. Sources whose
  /// input is at hand always return true. For the thread that calls next().
  virtual bool wait(std::chrono::microseconds /*time*/) { return true; }
};

/// The sentences of a list, which must outlive this object.
class SentenceList final : public SentenceSource {
 public:
  explicit SentenceList(std::span<const Sentence> sentences) : rest_(sentences) {}

  bool next(Sentence& sentence) override;

 private:
  std::span<const Sentence> rest_;
};

/// Maximum number of tokens of a sentence by default. Longer ones are tables and lists. The length
/// of a sentence determines the memory for computing it.
inline constexpr std::size_t kDefaultMaxSentenceTokens = 10000;

/// Cuts sentences of more than `limit` tokens into pieces of `limit` tokens; the last may be
/// shorter. Each piece is a sentence with the same document and the line of its first token. One
/// thread at a time.
class SentenceCutter final : public SentenceSource {
 public:
  /// `source` must outlive it. `limit` is at least 1.
  SentenceCutter(SentenceSource& source, std::size_t limit) : source_(source), limit_(limit) {}

  bool next(Sentence& sentence) override;

  /// Number of cut sentences, not of pieces.
  std::uint64_t cut_sentences() const { return cut_sentences_; }

 private:
  SentenceSource& source_;
  std::size_t limit_;
  Sentence long_;             // the sentence being cut
  std::size_t position_ = 0;  // first token of long_ not yet in a piece
  std::uint64_t cut_sentences_ = 0;
};

}  // namespace elmo

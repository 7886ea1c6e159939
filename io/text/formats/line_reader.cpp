// The reader of lines that are sentences.
#include <string_view>
#include <utility>

#include "io/text/formats/readers.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

class LineReader final : public FormatReader {
 public:
  LineReader(LineTokens tokens, const TextInput& input)
      : FormatReader(input), tokens_(tokens), line_(input.line - 1) {}

  bool next(Sentence& sentence) override {
    if (!window_.fill(1) && begun_) return false;
    const std::size_t end = window_.find('\n', 0, kMaxSentenceBytes + 1);
    const std::string_view view = window_.view();
    const bool whole = end <= kMaxSentenceBytes;
    if (line_ended_) unit_ = {window_.offset(), line_ + 1, context_.counters};
    begun_ = true;
    const std::size_t size = whole ? end : cut_position(view.substr(0, kMaxSentenceBytes));
    text_.assign(view.substr(0, size));
    context_.count_repairs(text_, view, name_, window_.offset());
    if (!whole) ++context_.counters.cut_sentences;

    if (std::exchange(line_ended_, whole)) ++line_;
    sentence.document = document_;
    sentence.line = line_;
    if (tokens_ == LineTokens::segmented) {
      context_.add_sentence(text_, window_.offset(), sentence);
    } else {
      add_white_space_tokens(sentence);
      if (context_.options.keep_lines) sentence.source = without_outer_white_space(text_.text());
    }
    const bool has_line_feed = whole && end < view.size();
    window_.consume(size + (has_line_feed ? 1 : 0));
    return true;
  }

  const UnitBegin* unit() const override { return &unit_; }

 private:
  void add_white_space_tokens(Sentence& sentence) {
    const std::string_view text = text_.text();
    for (std::size_t end = 0; end < text.size();) {
      std::size_t begin = end;
      while (begin < text.size() && is_token_separator(text[begin])) ++begin;
      end = begin;
      while (end < text.size() && !is_token_separator(text[end])) ++end;
      if (begin < end) context_.add_given(text_, {begin, end}, window_.offset(), sentence);
    }
  }

  LineTokens tokens_;
  RepairedText text_;
  std::uint64_t line_;  // line of the last returned sentence
  bool begun_ = false;
  bool line_ended_ = true;
  UnitBegin unit_;
};

}  // namespace

std::unique_ptr<FormatReader> make_line_reader(LineTokens tokens, const TextInput& input) {
  return std::make_unique<LineReader>(tokens, input);
}

}  // namespace elmo

#include "io/text/segment/rule_tokens.h"

#include <optional>

namespace elmo {
namespace {

constexpr int kMaxDay = 31;
constexpr int kMaxMonth = 12;

/// Returns the number of at most four ASCII digits that token `at` is.
std::optional<int> number_at(const TokenView& tokens, std::size_t at) {
  constexpr std::size_t kMaxLength = 4;
  if (at >= tokens.size()) return std::nullopt;
  std::string_view text = tokens.text(at);
  if (text.ends_with('.')) text.remove_suffix(1);  // an ordinal's
  if (text.empty() || text.size() > kMaxLength) return std::nullopt;
  int number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + (digit - '0');
  }
  return number;
}

/// The numbers around a full stop that are joined by full stops.
class Date {
 public:
  Date(const TokenView& tokens, std::size_t stop) : tokens_(tokens), stop_(stop) {}

  /// True if the number `distance` numbers after the full stop (0: the one before it) is from
  /// `least` to `most`, and a full stop follows if it is not the last.
  bool has(int distance, int least, int most) const {
    const auto at = static_cast<std::ptrdiff_t>(stop_) - 1 + 2 * distance;
    if (at < 0) return false;
    const std::optional<int> number = number_at(tokens_, static_cast<std::size_t>(at));
    return number && *number >= least && *number <= most;
  }

  /// True if a full stop is after that number, without a blank.
  bool has_stop(int distance) const {
    const auto at = static_cast<std::ptrdiff_t>(stop_) + 2 * distance;
    if (at < 0 || static_cast<std::size_t>(at) >= tokens_.size()) return false;
    const auto stop = static_cast<std::size_t>(at);
    return tokens_.text(stop) == "." && !tokens_.is_apart(stop);
  }

  bool day(int distance) const { return has(distance, 1, kMaxDay); }
  bool month(int distance) const { return has(distance, 1, kMaxMonth); }
  bool year(int distance) const { return has(distance, 1000, 2999); }

 private:
  const TokenView& tokens_;
  std::size_t stop_;
};

}  // namespace

bool is_date_stop(const TokenView& tokens, std::size_t at) {
  if (at == 0 || tokens[at - 1].kind != TokenKind::number) return false;
  const Date date(tokens, at);
  if (at + 1 < tokens.size() && tokens[at + 1].kind == TokenKind::ordinal) {
    return date.day(0) && date.month(1);
  }
  if (date.has_stop(-1)) {
    if (date.day(-1) && date.month(0) && date.year(1)) return true;
    if (date.year(-1) && date.month(0) && date.day(1)) return true;
    if (date.has_stop(-2) && date.year(-2) && date.month(-1) && date.day(0)) return true;
  }
  return date.has_stop(1) && date.month(1) && (date.day(0) || date.year(0));
}

void RuleTokenizer::tokenize(std::string_view text, RuleTokens& tokens) {
  chunk_.set_text(text);
  begin_text();
  while (chunk_.next()) {
    if (chunk_.letters_only() && rules_.split.need_signs()) {
      tokens.push_back({chunk_.range(), TokenKind::word});
    } else {
      chunk_.decode();
      take(tokens);
    }
  }
}

std::unique_ptr<RuleTokenizer> make_rule_tokenizer(const TokenRules& rules,
                                                   const std::string& locale) {
  return rules.style == TokenStyle::moses ? make_moses_tokenizer(rules, locale)
                                          : make_ud_tokenizer(rules, locale);
}

}  // namespace elmo

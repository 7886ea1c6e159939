#include <unicode/uchar.h>

#include <algorithm>
#include <string>

#include "io/text/segment/rule_tokens.h"
#include "io/text/segment/words.h"

namespace elmo {
namespace {

/// Tokens by the steps of the Moses tokenizer: first splits off most signs, then commas,
/// apostrophes and full stops.
class MosesTokens final : public RuleTokenizer {
 public:
  using RuleTokenizer::RuleTokenizer;

 private:
  void take(RuleTokens& tokens) override {
    std::size_t address = 0;  // end of the last address found
    for (std::size_t at = 0; at < chunk_.size();) {
      if (chunk_.may_have_address() && at >= address) {
        address = std::max(address, address_end(chunk_, rules_, at));
      }
      const std::size_t before = tokens.size();
      std::size_t end = at;
      while (is_in_word(end)) ++end;
      if (end == at) {
        add_token(chunk_, at, at + 1, TokenKind::sign, tokens);
        ++at;
      } else {
        while (at < end) at = take_word(at, end, tokens);
      }
      // No sentence ends inside an address, whatever its tokens.
      for (std::size_t token = before; token < tokens.size(); ++token) {
        if (tokens[token].range.end <= chunk_.offset(address)) {
          tokens[token].kind = TokenKind::address;
        }
      }
    }
  }

  bool is_in_word(std::size_t at) const {
    if (at >= chunk_.size()) return false;
    const char32_t c = chunk_.at(at);
    if (chunk_.is_letter(at)) return u_isalpha(static_cast<UChar32>(c)) != 0;
    if (chunk_.kind(at) != CharacterKind::sign) return true;
    if (c == '.' || c == '\'' || c == '`' || c == ',' || c == '-') return true;
    return c == ':' && at > 0 && rules_.between_letters.contains(c) && chunk_.is_letter(at + 1) &&
           u_islower(static_cast<UChar32>(chunk_.at(at + 1)));
  }

  bool is_number(std::size_t at) const {
    return chunk_.is_digit(at) ||
           (chunk_.is_letter(at) && !u_isalpha(static_cast<UChar32>(chunk_.at(at))));
  }

  bool is_alpha(std::size_t at) const {
    return at < chunk_.size() && !chunk_.is_digit(at) &&
           u_isalpha(static_cast<UChar32>(chunk_.at(at)));
  }

  std::size_t take_word(std::size_t first, std::size_t last, RuleTokens& tokens) {
    std::size_t end = first;
    for (; end < last; ++end) {
      const bool before = end > 0;
      if (chunk_.is_sign(end, '.') && chunk_.is_sign(end + 1, '.')) {
        if (end > first) break;
        while (chunk_.is_sign(end, '.')) ++end;
        add_token(chunk_, first, end, TokenKind::sign, tokens);
        return end;
      }
      if (chunk_.is_sign(end, ',')) {
        if (before && is_number(end - 1) && is_number(end + 1)) continue;
        if (end > first) break;
        add_token(chunk_, end, end + 1, TokenKind::sign, tokens);
        return end + 1;
      }
      if (!chunk_.is_sign(end, '\'')) continue;
      const bool alpha_before = before && is_alpha(end - 1);
      const bool alpha_after = is_alpha(end + 1);
      const bool number_before = before && is_number(end - 1);
      if (alpha_before && alpha_after && rules_.apostrophe == Apostrophe::right) {
        if (end > first) break;
        continue;
      }
      if (alpha_before && alpha_after && rules_.apostrophe == Apostrophe::left) {
        ++end;
        break;
      }
      if (rules_.apostrophe == Apostrophe::right && number_before && alpha_after) {
        if (chunk_.is_sign(end + 1, 's') && end > first) break;
        continue;
      }
      if (end > first) break;
      add_token(chunk_, end, end + 1, TokenKind::sign, tokens);
      return end + 1;
    }
    add_word(first, end, tokens);
    return end;
  }

  /// Adds a word that may end with a full stop.
  void add_word(std::size_t first, std::size_t last, RuleTokens& tokens) {
    const TokenKind kind = chunk_.is_digit(first)    ? TokenKind::number
                           : chunk_.is_letter(first) ? TokenKind::word
                                                     : TokenKind::sign;
    if (last - first < 2 || !chunk_.is_sign(last - 1, '.')) {
      return add_token(chunk_, first, last, kind, tokens);
    }
    const char32_t next = last < chunk_.size() ? chunk_.at(last) : chunk_.next_character();
    if (keeps_full_stop(first, last, next)) {
      return add_token(chunk_, first, last, TokenKind::abbreviation, tokens);
    }
    if (rules_.final_abbreviations.contains(std::string(chunk_.bytes(first, last - 1)))) {
      return add_token(chunk_, first, last, TokenKind::final_abbreviation, tokens);
    }
    if (u_islower(static_cast<UChar32>(next))) {
      return add_token(chunk_, first, last, TokenKind::abbreviation, tokens);
    }
    add_token(chunk_, first, last - 1, kind, tokens);
    add_token(chunk_, last - 1, last, TokenKind::sign, tokens);
  }

  /// True if the word [first, last), which ends with a full stop, keeps it before the character
  /// `next` and ends no sentence.
  bool keeps_full_stop(std::size_t first, std::size_t last, char32_t next) const {
    constexpr std::size_t kMaxOrdinal = 2;
    const std::size_t size = last - first - 1;
    const std::string word(chunk_.bytes(first, last - 1));
    if (word.find('.') != std::string::npos) {
      for (std::size_t at = first; at < last; ++at) {
        if (u_isalpha(static_cast<UChar32>(chunk_.at(at)))) return true;
      }
    }
    const bool initial = size == 1 && u_isupper(static_cast<UChar32>(chunk_.at(first)));
    const bool ordinal =
        rules_.ordinals && size <= kMaxOrdinal && chunk_.are_digits(first, last - 1);
    return initial || ordinal || rules_.abbreviations.contains(word) ||
           rules_.inner_abbreviations.contains(word) ||
           (rules_.number_abbreviations.contains(word) && u_isdigit(static_cast<UChar32>(next)));
  }
};

}  // namespace

std::unique_ptr<RuleTokenizer> make_moses_tokenizer(const TokenRules& rules,
                                                    const std::string& locale) {
  return std::make_unique<MosesTokens>(rules, locale);
}

}  // namespace elmo

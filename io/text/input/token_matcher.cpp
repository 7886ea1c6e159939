#include "io/text/input/token_matcher.h"

#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "core/error.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/normalization.h"
#include "io/text/segment/utf8.h"

namespace elmo {

namespace {

// Approximate size of the cache of answers; all words of a large corpus take less.
constexpr std::size_t kAnswerBytes = std::size_t{64} << 20;
constexpr std::size_t kEntryBytes = 80;  // per answer, without its text

// Limits of matching one token: ICU counts in steps of about a millisecond. A normal word takes
// none.
constexpr std::int32_t kMatchSteps = 500;
constexpr std::int32_t kMatchStackBytes = 8 << 20;

constexpr std::size_t kShownBytes = 60;  // bytes of a token shown in an error message

icu::UnicodeString utf16(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

std::string shown(std::string_view text) {
  RepairedText repaired;
  repaired.assign(text.substr(0, kShownBytes));
  std::string result(repaired.text());
  return text.size() > kShownBytes ? result.append("...") : result;
}

/// Compiles a regular expression. Returns a function that is true for tokens that it matches as a
/// whole.
std::function<bool(std::string_view)> compiled(const std::string& expression, bool ignore_case) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError at{};
  const std::shared_ptr<icu::RegexPattern> pattern(icu::RegexPattern::compile(
      utf16(expression), ignore_case ? std::uint32_t{UREGEX_CASE_INSENSITIVE} : 0U, at, status));
  if (U_FAILURE(status)) {
    throw RequestError(Setting{"match"} + ": ICU rejects the expression " + shown(expression) +
                       " at character " + std::to_string(at.offset) + ": " + u_errorName(status) +
                       "; expected a regular expression");
  }
  const std::shared_ptr<icu::RegexMatcher> matcher(pattern->matcher(status));
  if (matcher) {
    matcher->setTimeLimit(kMatchSteps, status);
    matcher->setStackLimit(kMatchStackBytes, status);
  }
  if (U_FAILURE(status)) {
    throw SystemError(std::string("ICU cannot match: ") + u_errorName(status));
  }
  return [pattern, matcher, expression](std::string_view token) {
    const icu::UnicodeString text = utf16(token);
    UErrorCode failure = U_ZERO_ERROR;
    matcher->reset(text);
    const bool result = matcher->matches(failure) != 0;
    if (U_FAILURE(failure)) {
      throw RequestError("the expression " + shown(expression) + " takes too long for the token " +
                         shown(token) + " (" + u_errorName(failure) +
                         "); expected one without nested repetition such as (a+)+");
    }
    return result;
  };
}

}  // namespace

TokenMatcher::TokenMatcher(const TokenQuery& query) : ignore_case_(query.ignore_case) {
  for (const std::string& word : query.words) {
    words_.insert(form_of(word));
  }
  if (!query.expression.empty()) {
    expression_ = compiled(canonical_form(query.expression), ignore_case_);
  }
}

/// The form in which words are compared.
std::string TokenMatcher::form_of(std::string_view word) const {
  return ignore_case_ ? fold_case(word) : canonical_form(word);
}

bool TokenMatcher::look_up(std::string_view token) {
  const bool listed = !words_.empty() && words_.contains(form_of(token));
  return listed || (expression_ && expression_(canonical_form(token)));
}

bool TokenMatcher::matches(std::string_view token) {
  if (!ignore_case_ && !expression_) return look_up(token);
  if (const auto known = answers_.find(token); known != answers_.end()) return known->second;
  const bool answer = look_up(token);
  if (answer_bytes_ > kAnswerBytes) {
    answers_.clear();
    answer_bytes_ = 0;
  }
  answers_.emplace(token, answer);
  answer_bytes_ += token.size() + kEntryBytes;
  return answer;
}

}  // namespace elmo

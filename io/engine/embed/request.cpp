#include "io/engine/embed/request.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/inference/options.h"
#include "core/text.h"
#include "io/files/paths.h"
#include "io/text/input/text_lines.h"
#include "io/text/input/token_matcher.h"

namespace elmo {
namespace {

/// Two settings that exclude each other if both are in use.
struct Contradiction {
  Setting setting;
  bool is_used = false;
  Setting other;
  bool other_is_used = false;
  const char* reason = "";
};

void check_contradictions(const EmbedRequest& request) {
  constexpr const char* kNoWords = "`<S>` and `</S>` are not words of the text";
  const bool sample = request.sample > 0;
  const bool pool = request.embed.pool.has_value();
  const bool averages = request.format->of_words;
  const bool resume = request.mode == RunMode::resume;
  const bool parts = request.input.part.has_value();
  const bool boundaries = request.embed.boundaries;
  using S = Setting;
  const Contradiction contradictions[] = {
      {S{"sample"}, sample, S{"resume"}, resume,
       "a sample is drawn from the whole text before anything is computed, so there is nothing to "
       "resume; start again with "},
      {S{"sample"}, sample, S{"pool"}, pool,
       "a random sample represents the corpus, not its sentences"},
      {S{"average_words"}, averages, S{"pool"}, pool,
       "word averages are computed from tokens, not from pooled rows"},
      {S{"average_words"}, averages, S{"resume"}, resume,
       "averages stay in memory until the end; start again"},
      {S{"sample"}, sample, S{"parts"}, parts,
       "a sample needs the whole text, but a part reads only its share; use "},
      {S{"average_words"}, averages, S{"parts"}, parts, "averages of parts cannot be merged"},
      {S{"words"}, !request.words.empty(), S{"boundaries"}, boundaries, kNoWords},
      {S{"match"}, !request.expression.empty(), S{"boundaries"}, boundaries, kNoWords},
      {S{"sample"}, sample, S{"boundaries"}, boundaries, kNoWords},
      {S{"average_words"}, averages, S{"boundaries"}, boundaries, kNoWords},
      {S{"pool"}, pool, S{"boundaries"}, boundaries, kNoWords}};
  for (const Contradiction& found : contradictions) {
    if (!found.is_used || !found.other_is_used) continue;
    Message message = Message(found.setting) + " with " + found.other + ": " + found.reason;
    if (found.other == S{"resume"} && found.setting == S{"sample"}) message += S{"overwrite"};
    if (found.other == S{"parts"} && found.setting == S{"sample"}) {
      message += S{"words"} + ", or sample each file separately";
    }
    throw RequestError(message);
  }
}

void check_part(const EmbedRequest& request) {
  if (!request.input.part) return;
  if (request.model.model == kAutoModel && request.input.request.locale.empty()) {
    throw RequestError(Setting{"model"} +
                       " auto chooses by the text, which differs between parts; name one model for "
                       "all " +
                       Setting{"parts"} + ", or the language with " + Setting{"locale"});
  }
  if (request.embed.pool && request.embed.pool->unit == PoolUnit::document &&
      traits_of(request.input.format).has_records) {
    throw RequestError(Setting{"parts"} + " with " + Setting{"pool_by"} +
                       " document: a record without an id is called by its line number, which a "
                       "part does not know; embed each file of records as a whole");
  }
}

void check_carried_state(const EmbedRequest& request) {
  if (request.embed.initial_state != InitialState::carry) return;
  if (request.sample > 0) {
    throw RequestError(Setting{"sample"} + " with " + Setting{"initial_state"} +
                       " carry: a carried state needs every sentence, but only the sample's "
                       "sentences are computed; use " +
                       Setting{"words"} + ", or another initial state");
  }
  if (request.input.part) {
    throw RequestError(Setting{"initial_state"} +
                       " carry hands the state from each sentence to the next through the whole "
                       "input, so " +
                       Setting{"parts"} + " cannot start in the middle");
  }
}

void check_dtype(const EmbedRequest& request) {
  const OutputFormat& format = *request.format;
  const bool stream = format.to_stream;
  const std::string reason = format.refusal(output_dtype(request), stream);
  if (reason.empty()) return;
  throw RequestError(
      Setting{"dtype"} + " " + std::string(kDtypes.word(request.dtype)) + " with " +
      (stream || format.of_words ? Message(Setting{"format"}) : Message("the layout")) + " " +
      std::string(format.name) + ": " + reason + "; choose another dtype, or shards (" +
      Setting{"output"} + " PATH)");
}

void check_workers(const Resources& resources) {
  if (resources.threads == 0 || resources.workers <= resources.threads) return;
  throw RequestError(Setting{"workers"} + ": found " + std::to_string(resources.workers) +
                     "; expected at most the " + std::to_string(resources.threads) + " of " +
                     Setting{"threads"});
}

/// Returns the query for tokens; nothing if all are kept.
std::optional<TokenQuery> token_query(const EmbedRequest& request) {
  if (request.words.empty() && request.expression.empty()) return std::nullopt;
  TokenQuery query;
  if (!request.words.empty()) {
    for_each_word(request.words, [&](std::string_view word) { query.words.emplace_back(word); });
    std::ranges::sort(query.words);
    query.words.erase(std::unique(query.words.begin(), query.words.end()), query.words.end());
  }
  query.expression = request.expression;
  query.ignore_case = request.ignore_case;
  return query;
}

}  // namespace

void validate(const EmbedRequest& request) {
  check_contradictions(request);
  check_workers(request.resources);
  check_part(request);
  check_dtype(request);
  check_carried_state(request);
  require_other_file(Setting{"output"}, request.output, {request.words});
}

std::size_t max_sentence_tokens(const EmbedRequest& request) {
  return request.max_sentence_tokens.value_or(traits_of(request.input.format).max_sentence_tokens);
}

InputOptions reading(const EmbedRequest& request) {
  InputOptions input = request.input;
  input.keep_lines = request.format->keeps_lines && !request.forget_sentences;
  input.keep_positions = request.format->is_shards();
  // A row is computed from a whole document.
  input.whole_documents =
      input.part && request.embed.pool && request.embed.pool->unit == PoolUnit::document;
  input.max_sentence_tokens = max_sentence_tokens(request);
  input.query = token_query(request);
  return input;
}

Dtype output_dtype(const EmbedRequest& request) {
  return request.format->of_words ? Dtype::float32 : request.dtype;
}

OutputRows output_rows(const EmbedRequest& request, const ActivationLayout& layout) {
  return {.layout = layout,
          .dtype = output_dtype(request),
          .kind = request.embed.pool ? RowKind::pooled : RowKind::tokens,
          .boundaries = request.embed.boundaries,
          .forget_sentences = request.forget_sentences,
          .min_count = request.min_count};
}

}  // namespace elmo

#include "io/engine/query.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/inference/activations.h"
#include "core/inference/embed.h"
#include "core/inference/output_layers.h"
#include "core/text.h"
#include "io/engine/listener.h"
#include "io/files/descriptor.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/input/read_queue.h"
#include "io/text/input/text_lines.h"
#include "io/text/input/text_source.h"

namespace elmo {
namespace {

constexpr const char* kExpected = "; expected a sentence with one word in [brackets]";

/// Reads one sentence. InputError for one of more than kDefaultMaxSentenceTokens tokens.
Sentence read_sentence(std::string_view text, const InputOptions& options) {
  const auto source = open_source(options, "query", std::make_unique<MemoryBytes>(text));
  Sentence sentence;
  source->next(sentence);
  if (sentence.size() <= kDefaultMaxSentenceTokens) return sentence;
  throw InputError("found a sentence of " + std::to_string(sentence.size()) +
                   " tokens; expected at most " + std::to_string(kDefaultMaxSentenceTokens));
}

struct InputLine {
  std::string text;
  std::uint64_t number = 0;
};

/// Averages the vectors of the queries' words.
class QuerySink final : public ActivationSink {
 public:
  QuerySink(std::span<const BracketedQuery> queries, std::size_t values)
      : queries_(queries), values_(values), means_(queries.size() * values) {}

  void write(const ActivationBatch& batch) override {
    std::span<const float> rest = batch.activations;
    for (const Sentence& sentence : batch.sentences) {
      const BracketedQuery& query = queries_[next_];
      const auto mean = std::span(means_).subspan(next_++ * values_, values_);
      const std::size_t tokens = query.end - query.begin;
      // A sentence with boundaries has the activations of all its tokens, and `<S>` is the first.
      const std::size_t first = sentence.keeps_all() ? query.begin + 1 : 0;
      const float share = 1.0F / static_cast<float>(tokens);
      for (std::size_t token = first; token < first + tokens; ++token) {
        const auto vector = rest.subspan(token * values_, values_);
        for (std::size_t i = 0; i < values_; ++i) mean[i] += share * vector[i];
      }
      rest = rest.subspan(sentence.kept_count() * values_);
    }
  }

  std::vector<float> take() { return std::move(means_); }

 private:
  std::span<const BracketedQuery> queries_;
  std::size_t values_;
  std::vector<float> means_;
  std::size_t next_ = 0;
};

}  // namespace

bool has_brackets(std::string_view text) {
  const std::size_t open = text.find('[');
  return open != std::string_view::npos && text.find(']', open) != std::string_view::npos;
}

BracketedQuery read_bracketed_query(std::string_view text, const InputOptions& reading) {
  const auto opening = std::ranges::count(text, '[');
  const auto closing = std::ranges::count(text, ']');
  if (opening == 0 && closing == 0) {
    throw InputError(std::string("found no brackets") + kExpected);
  }
  if (opening != 1 || closing != 1 || !has_brackets(text)) {
    throw InputError("found " + std::to_string(opening) + " opening and " +
                     std::to_string(closing) + " closing brackets" + kExpected);
  }
  const std::size_t begin = text.find('[');
  // Position in the text without brackets, like `begin`.
  const std::size_t end = text.find(']') - 1;
  std::string plain(text);
  plain.erase(end + 1, 1);
  plain.erase(begin, 1);

  InputOptions options = reading;
  const bool words = is_segmented(options.format);
  options.format = words ? InputFormat::text : InputFormat::tokens;
  options.lines = words;
  BracketedQuery query;
  query.sentence = read_sentence(plain, options);
  const std::vector<ByteSpan>& spans = query.sentence.spans();
  const auto first = std::ranges::find_if(spans, [&](ByteSpan span) { return span.end > begin; });
  const auto last =
      std::find_if(first, spans.end(), [&](ByteSpan span) { return span.begin >= end; });
  if (first == last) throw InputError(std::string("found no word in the brackets") + kExpected);
  query.begin = static_cast<std::size_t>(first - spans.begin());
  query.end = static_cast<std::size_t>(last - spans.begin());
  return query;
}

BracketedQuery read_token_query(std::string_view text, std::size_t word) {
  InputOptions options;
  options.format = InputFormat::tokens;
  BracketedQuery query{read_sentence(text, options), word, word + 1};
  if (word < query.sentence.size()) return query;
  throw InputError("found a sentence of " + human_count(query.sentence.size(), "token") +
                   "; expected more than " + std::to_string(word));
}

std::string bracketed_text(const Sentence& sentence, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    if (token > 0) text += ' ';
    if (token == begin) text += '[';
    text += sentence.token(token);
    if (token + 1 == end) text += ']';
  }
  return text;
}

std::vector<float> query_vectors(const Bilm& model, const EmbedOptions& options,
                                 std::span<const BracketedQuery> queries,
                                 const Resources& resources) {
  std::vector<Sentence> sentences;
  for (const BracketedQuery& query : queries) {
    Sentence& sentence = sentences.emplace_back(query.sentence);
    if (options.boundaries) continue;
    std::vector<std::uint32_t> word;
    for (std::size_t token = query.begin; token < query.end; ++token) {
      word.push_back(static_cast<std::uint32_t>(token));
    }
    sentence.keep(std::move(word));  // other tokens' activations are not computed
  }
  SentenceList source(sentences);
  const ActivationLayout layout = activation_layout(model.options(), options);
  QuerySink sink(queries, static_cast<std::size_t>(layout.values_per_token()));
  embed(
      {.model = model, .source = source, .sink = sink, .options = options, .resources = resources});
  return sink.take();
}

void answer_lines(std::size_t together, bool all,
                  const std::function<void(const std::string& line, std::uint64_t number)>& read,
                  const std::function<void()>& answer) {
  ReadState state;
  FileLines lines(kStandardInput, &state);
  ReadQueue<InputLine> arriving(
      [&](InputLine& line) {
        if (!lines.next()) return false;
        line = {std::string(lines.line()), lines.number()};
        return true;
      },
      [](const InputLine& line) { return sizeof(InputLine) + line.text.size(); }, state.stopped);
  InputLine line;
  for (bool ended = false; !ended;) {
    std::size_t count = 0;
    std::exception_ptr error;
    try {
      for (; count < together; ++count) {
        if (count > 0 && !all && !arriving.wait(kArrivalTime)) break;
        ended = !arriving.next(line);
        if (ended) break;
        name_errors(place_of_line(kStandardInput, line.number),
                    [&] { read(line.text, line.number); });
      }
    } catch (const InputError&) {
      error = std::current_exception();
    }
    if (count > 0) answer();
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace elmo

#include "io/engine/word_prediction/substitutes.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "core/analysis/substitutes.h"
#include "core/error.h"
#include "core/inference/activations.h"
#include "core/text.h"
#include "core/workers.h"
#include "io/engine/query.h"
#include "io/engine/word_prediction/predicting_model.h"
#include "io/json/json_fields.h"
#include "io/text/bytes/file_bytes.h"

namespace elmo {
namespace {

/// Maximum number of lines that are answered together.
constexpr std::size_t kLinesTogether = 256;

/// Answers lines with a model. One thread.
class SubstituteFinder {
 public:
  explicit SubstituteFinder(const SubstituteRequest& request)
      : request_(request),
        model_(open_predicting_model(request.model, request.tokenizer, request.precision)),
        softmax_(model_.softmax, model_.bilm.options().lstm.projection_dim) {
    reading_.format = request.format == InputFormat::tokens ? request.format : InputFormat::text;
    reading_.lines = request.format != InputFormat::tokens;
    reading_.tokenizer = model_.tokenizer;
  }

  /// Reads the queries of a line of standard input.
  void read(const std::string& line, std::uint64_t number,
            std::vector<SubstituteAnswer>& queries) const {
    if (request_.format != InputFormat::jsonl) {
      return read_sentence(line, kStandardInput, number, queries);
    }
    const std::vector<std::string> names = {"text", "id"};
    std::vector<JsonField> fields = parse_json_fields(line, names);
    if (fields[0].kind != JsonField::Kind::text) refuse_field(fields[0], "text", "a string");
    std::ranges::replace(fields[0].text, '\n', ' ');
    read_sentence(fields[0].text, fields[1].is_text() ? fields[1].text : kStandardInput, number,
                  queries);
  }

  /// Reads the queries of a sentence.
  void read_sentence(const std::string& text, const std::string& id, std::uint64_t line,
                     std::vector<SubstituteAnswer>& queries) const {
    if (!request_.all) {
      BracketedQuery query = read_bracketed_query(text, reading_);
      queries.push_back({id, line, std::move(query.sentence), query.begin, query.end, {}, {}, {}});
      return;
    }
    Sentence sentence;
    open_source(reading_, "sentence", std::make_unique<MemoryBytes>(text))->next(sentence);
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      queries.push_back({id, line, sentence, token, token + 1, {}, {}, {}});
    }
  }

  void answer(std::vector<SubstituteAnswer>& queries) {
    const std::vector<float> activations = top_layers(queries);
    const auto width = static_cast<std::size_t>(model_.bilm.options().lstm.projection_dim);
    std::vector<const float*> left;
    std::vector<const float*> right;
    for (std::size_t i = 0, row = 0; i < queries.size(); ++i) {
      // The row of <S> comes before those of the tokens.
      left.push_back(activations.data() + (row + queries[i].begin) * 2 * width);
      right.push_back(activations.data() + (row + queries[i].end + 1) * 2 * width + width);
      const bool last = i + 1 == queries.size() || !same_sentence(queries[i], queries[i + 1]);
      if (last) row += queries[i].sentence.size() + 2;
    }
    for (std::size_t first = 0; first < queries.size(); first += kMaxGaps) {
      const std::size_t count = std::min(kMaxGaps, queries.size() - first);
      const std::vector<Substitutes> found =
          find_substitutes(softmax_, std::span(left).subspan(first, count),
                           std::span(right).subspan(first, count), request_.count, workspace_);
      for (std::size_t i = 0; i < count; ++i) {
        queries[first + i].forward = words_of(found[i].forward);
        queries[first + i].backward = words_of(found[i].backward);
        queries[first + i].both = words_of(found[i].both);
      }
    }
  }

 private:
  /// Queries of one line follow each other.
  static bool same_sentence(const SubstituteAnswer& a, const SubstituteAnswer& b) {
    return a.line == b.line;
  }

  /// The activations of the last layer of each sentence, with boundaries: [rows, 2P].
  std::vector<float> top_layers(const std::vector<SubstituteAnswer>& queries) const {
    std::vector<Sentence> sentences;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (i > 0 && same_sentence(queries[i - 1], queries[i])) continue;
      sentences.push_back(queries[i].sentence);
    }
    SentenceList source(sentences);
    KeepingSink sink;
    embed({.model = model_.bilm,
           .source = source,
           .sink = sink,
           .options = {.layers = LayerSelection::top, .boundaries = true},
           .resources = {.threads = request_.threads}});
    return std::move(sink.block.activations);
  }

  std::vector<SubstituteWord> words_of(const std::vector<Substitute>& found) const {
    std::vector<SubstituteWord> words;
    words.reserve(found.size());
    for (const Substitute& each : found) {
      words.push_back({softmax_.vocabulary().word(each.row), each.log_probability});
    }
    return words;
  }

  const SubstituteRequest& request_;
  InputOptions reading_;
  PredictingModel model_;
  FullSoftmax softmax_;
  FullSoftmax::Workspace workspace_;
};

}  // namespace

void run_substitutes(const SubstituteRequest& request, const SubstituteReport& answered) {
  set_threads_of_this_thread(1);
  SubstituteFinder finder(request);
  const auto answer = [&](std::vector<SubstituteAnswer>& queries) {
    if (queries.empty()) return;
    finder.answer(queries);
    answered(queries);
  };
  if (!request.sentence.empty()) {
    std::vector<SubstituteAnswer> queries;
    try {
      finder.read_sentence(request.sentence, kStandardInput, 1, queries);
    } catch (const InputError& error) {
      throw RequestError("'" + excerpt(request.sentence) + "': " + error.message());
    }
    answer(queries);
    return;
  }
  std::vector<SubstituteAnswer> queries;
  bool found = false;
  answer_lines(
      kLinesTogether, false,
      [&](const std::string& line, std::uint64_t number) {
        found = true;
        finder.read(line, number, queries);
      },
      [&] {
        answer(queries);
        queries.clear();
      });
  if (!found) throw InputError("standard input: found no sentence; expected one per line");
}

}  // namespace elmo

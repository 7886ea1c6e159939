#include "cli/surprisal/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/text.h"
#include "io/json/json.h"
#include "io/outputs/stream_sinks.h"

namespace elmo {
namespace {

constexpr std::array<std::string_view, kPairScores> kScoreNames = {"forward", "backward", "both"};

/// Text in a cell: what ends a cell or a line becomes a blank.
std::string cell_text(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](char byte) { return byte == '\t' || byte == '\n' || byte == '\r'; }, ' ');
  return result;
}

/// Single precision, as it was computed in; empty for NaN.
std::string number_cell(double value) {
  return std::isnan(value) ? "" : number_text(static_cast<float>(value));
}

std::string begin_row(const SentencePrediction& prediction) {
  return cell_text(prediction.sentence.document->id) + '\t' + std::to_string(prediction.number) +
         '\t' + std::to_string(prediction.sentence.line) + '\t';
}

std::string begin_object(const SentencePrediction& prediction) {
  std::string json;
  begin_record(json, prediction.sentence.document->id, prediction.number, prediction.sentence.line);
  return json;
}

/// Appends a member, a list with an element for each reported token.
template <typename Element>
void append_list(std::string& json, const SentenceSurprisal& found, const std::string& name,
                 const Element& element) {
  json += ", \"" + name + "\": [";
  for (std::size_t token = found.begin; token < found.end; ++token) {
    json += (token > found.begin ? ", " : "") + element(token);
  }
  json += ']';
}

std::string pair_scores_json(const std::array<double, kPairScores>& scores) {
  std::string json;
  for (std::size_t score = 0; score < kPairScores; ++score) {
    json += (score > 0 ? ", \"" : "{\"") + std::string(kScoreNames[score]) +
            "\": " + json_number(scores[score]);
  }
  return json + '}';
}

}  // namespace

void SurprisalReport::note(const Message& line) {
  output_.flush();
  RunReport::note(line);
}

void SurprisalReport::progressed(const RunProgress& progress, double first_fraction) {
  output_.flush();
  RunReport::progressed(progress, first_fraction);
}

std::string surprisal_header(bool by_sentence) {
  return by_sentence
             ? "document\tsentence\tline\twords\tunknown\tforward\tbackward\n"
             : "document\tsentence\tline\ttoken\tword\tbegin\tend\tunknown\tforward\tbackward\n";
}

std::string surprisal_rows(const SentenceSurprisal& found) {
  const Sentence& sentence = found.prediction.sentence;
  std::string rows;
  for (std::size_t token = found.begin; token < found.end; ++token) {
    const ByteSpan& span = sentence.spans()[token];
    rows += begin_row(found.prediction) + std::to_string(static_cast<std::int64_t>(token) - 1) +
            '\t' + cell_text(sentence.token(token)) + '\t' + std::to_string(span.begin) + '\t' +
            std::to_string(span.end) + (found.prediction.is_unknown(token) ? "\t1\t" : "\t0\t") +
            number_cell(found.forward[token]) + '\t' + number_cell(found.backward[token]) + '\n';
  }
  return rows;
}

std::string sentence_row(const SentenceSurprisal& found) {
  return begin_row(found.prediction) + std::to_string(found.end - found.begin) + '\t' +
         std::to_string(found.prediction.unknown_tokens(found.begin, found.end)) + '\t' +
         number_text(found.forward_sum) + '\t' + number_text(found.backward_sum) + '\n';
}

std::string surprisal_json(const SentenceSurprisal& found) {
  const Sentence& sentence = found.prediction.sentence;
  std::string json = begin_object(found.prediction);
  append_list(json, found, "tokens",
              [&](std::size_t token) { return json_text(sentence.token(token)); });
  append_list(json, found, "spans", [&](std::size_t token) {
    const ByteSpan& span = sentence.spans()[token];
    return '[' + std::to_string(span.begin) + ", " + std::to_string(span.end) + ']';
  });
  append_list(json, found, "unknown", [&](std::size_t token) {
    return std::string(found.prediction.is_unknown(token) ? "1" : "0");
  });
  for (const auto& [name, values] :
       {std::pair("forward", &found.forward), std::pair("backward", &found.backward)}) {
    append_list(json, found, name, [&, list = values](std::size_t token) {
      return json_number(static_cast<float>((*list)[token]));
    });
  }
  return json + "}\n";
}

std::string sentence_json(const SentenceSurprisal& found) {
  return begin_object(found.prediction) +
         ", \"words\": " + std::to_string(found.end - found.begin) + ", \"unknown\": " +
         std::to_string(found.prediction.unknown_tokens(found.begin, found.end)) +
         ", \"forward\": " + json_number(found.forward_sum) +
         ", \"backward\": " + json_number(found.backward_sum) + "}\n";
}

std::string pair_json(const std::vector<std::string>& fields, const MinimalPair& pair) {
  std::string json = "{\"document\": " + json_text(pair.file) +
                     ", \"pair\": " + std::to_string(pair.number) +
                     ", \"line\": " + std::to_string(pair.line);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (pair.values[i].empty()) continue;
    json += ", " + json_text(fields[i]) + ": " + json_text(pair.values[i]);
  }
  return json + ", \"good\": " + pair_scores_json(pair.good) +
         ", \"bad\": " + pair_scores_json(pair.bad) + "}\n";
}

std::string pair_table(const std::vector<PairCount>& counts) {
  std::string table = "field\tvalue\tpairs";
  for (const std::string_view name : kScoreNames) table.append("\t").append(name);
  for (const std::string_view name : kScoreNames) table.append("\t").append(name).append("_ties");
  table += '\n';
  for (const PairCount& count : counts) {
    table +=
        (count.field.empty() ? "all\t" : cell_text(count.field) + '\t' + cell_text(count.value)) +
        '\t' + std::to_string(count.pairs);
    for (const std::uint64_t correct : count.correct) {
      table += formatted("\t%.2f",
                         100.0 * static_cast<double>(correct) / static_cast<double>(count.pairs));
    }
    for (const std::uint64_t ties : count.ties) table += '\t' + std::to_string(ties);
    table += '\n';
  }
  return table;
}

}  // namespace elmo

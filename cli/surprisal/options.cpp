// `elmo surprisal`: how surprising each word of a text is, and minimal pairs.
#include "cli/common/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/rules.h"
#include "core/text.h"
#include "io/engine/word_prediction/surprisal.h"
#include "io/json/json.h"
#include "io/outputs/stream_sinks.h"

namespace elmo {
namespace {

/// Prints results on standard output, each before the next note or progress on standard error. One
/// thread.
class SurprisalReport final : public RunReport {
 public:
  explicit SurprisalReport(bool quiet) : RunReport(quiet) {}

  void note(const Message& line) override {
    output_.flush();
    RunReport::note(line);
  }
  void progressed(const RunProgress& progress, double first_fraction) override {
    output_.flush();
    RunReport::progressed(progress, first_fraction);
  }

  /// Prints `text` on standard output.
  void print(const std::string& text) { output_.write(text); }
  void flush() { output_.flush(); }

 private:
  BufferedOutput output_{standard_output()};
};

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

/// The names of the columns of surprisal_rows(), or of sentence_row() if `by_sentence`.
std::string surprisal_header(bool by_sentence) {
  return by_sentence
             ? "document\tsentence\tline\twords\tunknown\tforward\tbackward\n"
             : "document\tsentence\tline\ttoken\tword\tbegin\tend\tunknown\tforward\tbackward\n";
}

/// A row per token. Empty cells: what a direction does not predict. The position of <S> is −1.
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

/// A row with the sums of a sentence.
std::string sentence_row(const SentenceSurprisal& found) {
  return begin_row(found.prediction) + std::to_string(found.end - found.begin) + '\t' +
         std::to_string(found.prediction.unknown_tokens(found.begin, found.end)) + '\t' +
         number_text(found.forward_sum) + '\t' + number_text(found.backward_sum) + '\n';
}

/// A line of JSON for a sentence, with lists; null is what a direction does not predict.
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

/// A line of JSON with the sums of a sentence.
std::string sentence_json(const SentenceSurprisal& found) {
  return begin_object(found.prediction) +
         ", \"words\": " + std::to_string(found.end - found.begin) + ", \"unknown\": " +
         std::to_string(found.prediction.unknown_tokens(found.begin, found.end)) +
         ", \"forward\": " + json_number(found.forward_sum) +
         ", \"backward\": " + json_number(found.backward_sum) + "}\n";
}

/// A line of JSON for a pair.
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

/// The share of correct pairs in percent, with a line for all pairs and for each value of a field.
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

struct SurprisalFlags : Flags<PairRequest> {
  bool jsonl = false;
  bool by_sentence = false;
  bool pairs = false;
  std::string by;
};

void check_surprisal_flags(const SurprisalFlags& flags) {
  std::vector<FlagRule> rules;
  for (const char* flag : {"--good", "--bad", "--by"})
    rules.push_back({flag, flags.pairs, "--pairs"});
  for (const char* flag :
       {"--boundaries", "--by-sentence", "--input-format", "--lines", "--text-field", "--id-field",
        "--skip-bad-records", "--strict", "--initial-state"}) {
    rules.push_back({flag, !flags.pairs, "a text, without --pairs"});
  }
  rules.push_back(
      {"--base", !flags.pairs || flags.jsonl, "surprisals, which --pairs prints as jsonl"});
  check_rules(flags.given, rules);
  check_input_flags(flags.given, flags.request.input);
  check_initial_state(flags.given, flags.request.options.initial_state);
}

ExitCode compare_pairs(const SurprisalFlags& flags) {
  PairRequest request = flags.request;
  request.options.awaited = flags.jsonl;
  for (const std::string_view field : split(flags.by, ',')) {
    if (!field.empty()) request.by.emplace_back(field);
  }
  SurprisalReport report(flags.quiet);
  PairListener each;
  if (flags.jsonl) {
    each = [&](const std::vector<std::string>& fields, const MinimalPair& pair) {
      report.print(pair_json(fields, pair));
    };
  }
  const PairSummary summary = run_minimal_pairs(request, report, each);
  if (!flags.jsonl) report.print(pair_table(summary.counts));
  report.flush();
  note_predicted(report, summary.text);
  return kDone;
}

ExitCode surprise_and_report(const SurprisalFlags& flags) {
  check_surprisal_flags(flags);
  if (flags.pairs) return compare_pairs(flags);
  SurprisalRequest request = static_cast<const SurprisalRequest&>(flags.request);
  request.options.awaited = true;
  SurprisalReport report(flags.quiet);
  std::string header = flags.jsonl ? "" : surprisal_header(flags.by_sentence);
  const PredictedText text = run_surprisal(request, report, [&](const SentenceSurprisal& found) {
    report.print(std::exchange(header, {}));
    if (flags.jsonl) {
      report.print(flags.by_sentence ? sentence_json(found) : surprisal_json(found));
    } else {
      report.print(flags.by_sentence ? sentence_row(found) : surprisal_rows(found));
    }
  });
  report.flush();
  note_predicted(report, text);
  return kDone;
}

}  // namespace

void add_surprisal(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<SurprisalFlags>();
  PairRequest& request = flags->request;
  Options command = app.add_subcommand(
      "surprisal", "Compute how surprising each word of a text is, and compare minimal pairs");
  add_predicting_model(command, request.model.model);
  add_input_flags(command, request.input);
  add_choice(command, "--base", request.base, kLogBases,
             "Base of the logarithm: `2`, bits; `e`, nats; `10`");
  command.add_flag("--boundaries", request.boundaries,
                   "Report `<S>`, which backward predicts, and `</S>`, which forward predicts");
  command.add_flag(
      "--by-sentence", flags->by_sentence,
      "Report the sums of each sentence instead of its words; `words` counts what --boundaries "
      "adds, too");
  add_choice(command, "--format", flags->jsonl, kTableFormats,
             "Output format: `tsv`, columns with a header; `jsonl`, a JSON object per sentence or "
             "pair");
  add_initial_state(command, request.options.initial_state, request.options.lanes);
  add_choice(command, "--precision", request.precision, kPrecisions,
             "Precision of the biLM's arithmetic (products); the softmax uses float32");
  add_threads(command, request.options.threads);
  command.add_flag("--quiet", flags->quiet, "Print only errors and the result");
  const Options pairs = command.in_group("Minimal pairs");
  pairs.add_flag("--pairs", flags->pairs,
                 "Read pairs of an acceptable and an unacceptable sentence, and print in how many "
                 "the acceptable one is more probable, in percent");
  pairs.add_option("--good", request.good, "FIELD", "Field of the acceptable sentence")
      .default_str(request.good);
  pairs.add_option("--bad", request.bad, "FIELD", "Field of the unacceptable sentence")
      .default_str(request.bad);
  pairs.add_option("--by", flags->by, "FIELD,...", "Fields to count by")
      .default_str("UID,linguistics_term");
  command.footer(
      "The surprisal of a word is -log p, forward given all words before it in its sentence, "
      "backward given all words after it. A word outside the vocabulary has `unknown` 1 and the "
      "surprisal of `<UNK>`. `token` counts from 0 (`<S>` is -1); `begin` and `end` are bytes of "
      "the document. Each sentence is printed as soon as it has been read.\n\nPairs are JSON "
      "Lines, such as BLiMP's, or lines of two sentences, separated by a TAB, the acceptable one "
      "first. A sentence's surprisal is the sum over its words and its end (backward, its "
      "beginning). Ties count as wrong. JSON has the sums of each pair.");
  run_if_chosen(command, flags, surprise_and_report, chosen);
}

}  // namespace elmo

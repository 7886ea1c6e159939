// Substitutes of words in their sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/text/input/input_options.h"

namespace elmo {

struct SubstituteRequest {
  std::string sentence;  ///< empty: standard input has one per line
  /// How a sentence is read: text, tokens or, on standard input, jsonl, a record with "text" and,
  /// if it has one, an "id" per line.
  InputFormat format = InputFormat::text;
  TokenizerRequest tokenizer;
  ModelSpec model;
  std::size_t count = 10;
  bool all = false;  ///< find substitutes of each word, instead of the one in [brackets]
  Precision precision = Precision::float32;
  int threads = 0;
};

/// A word that may stand in the place of another one.
struct SubstituteWord {
  std::string word;
  double log_probability = 0.0;  ///< natural logarithm
};

/// The substitutes of a word, best first; see core/analysis/substitutes.h.
struct SubstituteAnswer {
  std::string document;    ///< the record's id, or else "-"
  std::uint64_t line = 0;  ///< of standard input
  Sentence sentence;
  std::size_t begin = 0;  ///< first token of the word
  std::size_t end = 0;    ///< after its last token
  std::vector<SubstituteWord> forward;
  std::vector<SubstituteWord> backward;
  std::vector<SubstituteWord> both;
};

/// Called with the answers to the lines that have arrived, in order.
using SubstituteReport = std::function<void(const std::vector<SubstituteAnswer>& answers)>;

/// Answers the request's sentence, or those on standard input, before it waits for more; blank
/// lines are skipped. Errors: RequestError for a sentence without one word in [brackets];
/// InputError, naming the line, for such a sentence or a malformed record on standard input, and
/// for standard input without a sentence; other errors as open_predicting_model.
void run_substitutes(const SubstituteRequest& request, const SubstituteReport& answered);

}  // namespace elmo

// Predictions of task models as text.
//
// For sentences with labeled tokens:
// - columns: one line per token, with a TAB between token and label, then a blank line;
// - conllu: ten columns, then a blank line;
// - jsonl: {"document", "sentence", "line", "tokens", "spans", "labels", "scores"}, with each
//   label's probability in "scores". Labels of a span scheme add "entities": [{"type", "begin",
//   "end", "span", "score"}], with tokens begin … end − 1, their bytes, and the minimum
//   probability of their labels.
// For a text or a pair of texts:
// - columns: the label and the tokens of each text, joined by spaces, with TABs between;
// - jsonl: {"document", "sentence", "line", "tokens", "spans", "label", "score"}, with the
//   label's probability in "score"; for a pair, "tokens1", "spans1", "tokens2", "spans2".
// If a text has no token, the line is blank, or "label" and "score" are null.
//
// For questions:
// - jsonl: one line per question, in order: {"id", "answer", "start", "end", "probability",
//   "bytes": [begin, end]}. "start" and "end" count code points of the context, "bytes" counts
//   bytes of its UTF-8. If the context was cut into n > 1 windows, also "windows": n.
// - squad: one object {id: answer}.
//
// For sentences with frames:
// - jsonl: {"tokens": […], "frames": [{"predicate", "tags"}]} for each sentence, with a frame for
//   each predicate that was given or found, in that order.
// - columns: the prediction format of the CoNLL-2005 shared task, which srl-eval.pl reads. One
//   token per line: the token if it is a predicate, else "-"; then a column of bracketed arguments
//   for each predicate, from first to last. A blank line follows each sentence. InputError for two
//   frames of one predicate, which columns cannot represent.
//
// For documents with clusters of mentions:
// - jsonl: {"document", "clusters": [[[begin, end], …], …]} for each document, in tokens of the
//   document or, if the text was segmented (CorefGold::in_bytes), in bytes; end exclusive.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/enum_table.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_model.h"

namespace elmo {

/// squad: one JSON object {id: answer}, as read by SQuAD's own scorer.
enum class PredictionFormat { columns, conllu, jsonl, squad };

inline constexpr auto kPredictionFormats =
    enum_table<PredictionFormat>({{"columns", PredictionFormat::columns},
                                  {"conllu", PredictionFormat::conllu},
                                  {"jsonl", PredictionFormat::jsonl},
                                  {"squad", PredictionFormat::squad}});

/// Formats groups of examples with their predictions, one after another. One thread.
class PredictionWriter {
 public:
  virtual ~PredictionWriter() = default;

  /// The text of a group, with one prediction per record.
  virtual std::string text_of(const ExampleGroup& group,
                              std::span<const TaskPrediction> predictions) = 0;

  /// The text after the last group.
  virtual std::string end() { return {}; }
};

/// Options for writing predictions.
struct WriterOptions {
  PredictionFormat format = PredictionFormat::jsonl;
  std::vector<std::string> labels{};  ///< the model's labels
  std::size_t column = 4;             ///< column of CoNLL-U for the labels, 3 (lemma) to 10 (misc)
};

/// Make the writers of the predictions above. RequestError for a format that cannot hold them.
std::unique_ptr<PredictionWriter> make_token_writer(const WriterOptions& options);
std::unique_ptr<PredictionWriter> make_text_writer(const WriterOptions& options);
std::unique_ptr<PredictionWriter> make_answer_writer(const WriterOptions& options);
std::unique_ptr<PredictionWriter> make_frame_writer(const WriterOptions& options);
std::unique_ptr<PredictionWriter> make_cluster_writer(const WriterOptions& options);

}  // namespace elmo

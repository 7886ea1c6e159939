// Coreference: which spans of a document refer to the same thing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/bilstm_stack.h"
#include "core/tasks/common/output_elmo.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"
#include "core/tasks/common/word_vocabulary.h"
#include "core/tasks/coref/antecedent_scorer.h"
#include "core/tasks/coref/clusters.h"
#include "core/tasks/coref/mention_scorer.h"
#include "core/tasks/coref/span_vectors.h"

namespace elmo {

/// Span ranking end to end (Lee et al. 2017), as it was used with ELMo on OntoNotes (Peters et al.
/// 2018, section 4): x_k → biLSTMs → [h; ELMo] → vectors and mention scores of all spans up to ten
/// tokens → the best 0.4 T spans of T tokens that do not cross → scores of their antecedents. The
/// loss of a span is −log of the summed probability of all antecedents of its gold cluster, or of
/// having none, which scores 0; that of a document is the mean over its spans that were kept.
/// Gold clusters of one mention teach nothing.
///
/// An example: texts are the sentences of a document, each by itself through the LSTMs; given are
/// its genre (a number of the labels that the model was made with; any other: unknown) and the
/// number of the speaker of each sentence (−1: unknown), or nothing; labels are triples (begin, end
/// exclusive, cluster) in tokens of the document. A prediction has such triples, clusters by their
/// first mention, each of two mentions at least, and no scores.
///
/// Training cuts a document to a run of sentences of 500 tokens, drawn by seed and step, and keeps
/// gold mentions whatever their scores.
/// Prediction reads 2048 tokens after another and keeps of those before at most 2048 spans, so that
/// what it needs beside the example does not grow with the document but for a number of each span.
class CorefModel final : public TaskModel {
 public:
  /// `words` has to outlive it.
  CorefModel(const TaskOptions& options, const WordVocabulary& words, std::int64_t genres);

  std::vector<Parameter*> parameters() override;
  void initialize(std::uint64_t seed) override;
  double train(TaskBatch batch, const PassOptions& options, Workers& workers) override;
  std::int64_t trained_tokens(TaskBatch batch) const override;
  void predict(TaskBatch batch, Workers& workers,
               std::vector<TaskPrediction>& predictions) override;

 private:
  // Consecutive sentences of an example.
  struct Run {
    std::size_t begin = 0;  // of its texts
    std::size_t end = 0;
    std::int64_t first_token = 0;  // of the document
    std::int64_t tokens = 0;
  };

  static Run cut(const TaskExample& example, std::uint64_t draw);
  void read(std::span<const TaskText> texts, const PassOptions& options, Workers& workers);
  std::vector<RowSpan> kept_spans(std::int64_t first_row, std::int64_t end_row, Workers& workers);
  static void add_gold(const TaskExample& example, const Run& run, std::int64_t first_row,
                       std::vector<RowSpan>& kept);
  double train_document(const TaskExample& example, const Run& run, std::int64_t first_row,
                        std::size_t first_span, double scale, const PassOptions& options,
                        Workers& workers);
  TaskPrediction predict_document(const TaskExample& example, Workers& workers);

  float dropout_;
  TokenVectors vectors_;
  BiLstmStack encoder_;
  OutputElmo output_elmo_;
  SpanVectors spans_;
  MentionScorer mentions_;
  AntecedentScorer antecedents_;

  // Of the batch at hand, or of a part of a document: T tokens, M spans that were kept.
  std::vector<TaskText> texts_;
  Sequences sequences_;
  Matrix input_;                           // [T, vectors_.columns()]
  Matrix encoded_;                         // [T, 2 · hidden]
  Matrix rows_;                            // [T, D], [h; ELMo]
  std::vector<RowSpan> kept_;              // [M] in rows
  Matrix span_rows_;                       // [M, G]
  AlignedVector<float> mention_scores_;    // [M]
  Matrix span_gradient_;                   // [M, G]
  AlignedVector<float> mention_gradient_;  // [M]
  KeptSpans document_;                     // of one document
  AntecedentPairs pairs_;
};

/// The entry of the table of kinds.
TaskKindEntry coref_kind();

}  // namespace elmo

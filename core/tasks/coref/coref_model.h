// Coreference resolution: finds spans of a document that refer to the same thing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/bilstm.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"
#include "core/tasks/coref/antecedent_scorer.h"
#include "core/tasks/coref/coref_scores.h"
#include "core/tasks/coref/mentions.h"

namespace elmo {

/// End-to-end span ranking (Lee et al. 2017), as used with ELMo on OntoNotes (Peters et al. 2018,
/// section 4): x_k → biLSTMs → [h; ELMo] → vectors and mention scores of all spans up to ten tokens
/// → the best 0.4 T non-crossing spans of T tokens → scores of their antecedents. The loss of a
/// span is −log of the summed probability of all antecedents in its gold cluster, or of having no
/// antecedent, which scores 0. The loss of a document is the mean over its kept spans. Gold
/// clusters of one mention are ignored in training.
///
/// Texts of an example are the sentences of a document (CorefGold); the LSTMs read each separately.
/// Predictions are ClusterPrediction.
///
/// Training cuts a document to a run of sentences of 500 tokens, chosen by seed and step, and keeps
/// gold mentions whatever their scores. Prediction reads segments of about 2048 tokens and keeps at
/// most 2048 earlier spans, so memory besides the example does not grow with the document, except
/// for a few numbers per span.
class CorefModel final : public TaskModel {
 public:
  /// `words` must outlive this object.
  CorefModel(const TaskOptions& options, const WordVocabulary& words,
             std::span<const std::string> genres);

  std::vector<Parameter*> parameters() override;
  void initialize(std::uint64_t seed) override;
  double train(TaskBatch batch, const PassOptions& options, Workers& workers) override;
  std::int64_t trained_tokens(TaskBatch batch) const override;
  std::vector<PredictionPointer> predict(TaskBatch batch, Workers& workers) override;

 private:
  // Consecutive sentences of an example.
  struct Run {
    std::size_t begin = 0;  // index of the first text
    std::size_t end = 0;
    std::int64_t first_token = 0;  // offset in the document
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
  ClusterPrediction predict_document(const TaskExample& example, Workers& workers);

  float dropout_;
  TokenVectors vectors_;
  BiLstmStack encoder_;
  OutputElmo output_elmo_;
  SpanVectors spans_;
  MentionScorer mentions_;
  AntecedentScorer antecedents_;

  // The current batch or part of a document, with T tokens and M kept spans.
  std::vector<TaskText> texts_;
  Sequences sequences_;
  Matrix input_;                           // [T, vectors_.columns()]
  Matrix encoded_;                         // [T, 2 · hidden]
  Matrix rows_;                            // [T, D], [h; ELMo]
  std::vector<RowSpan> kept_;              // [M], in rows
  Matrix span_rows_;                       // [M, G]
  AlignedVector<float> mention_scores_;    // [M]
  Matrix span_gradient_;                   // [M, G]
  AlignedVector<float> mention_gradient_;  // [M]
  KeptSpans document_;                     // spans of one document
  AntecedentPairs pairs_;
};

}  // namespace elmo

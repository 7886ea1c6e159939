#include "core/nn/attention_flow.h"

#include <doctest/doctest.h>

#include "tests/core/nn/packed.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/question_layers.h"

namespace elmo {
namespace {

constexpr std::int64_t kFlowColumns = 4;

using QuestionOf = std::vector<std::int64_t>;

ReferenceTrilinear similarity_of(const ReferenceValues& values) {
  const auto w1 = values.find("a/w1");
  return {w1 == values.end() ? ReferenceRow() : w1->second, values.at("a/w2"), values.at("a/w3")};
}

DoubleNumbers flow_reference(const ReferenceValues& values, const DoubleNumbers& contexts,
                             const Sequences& context_sequences, const DoubleNumbers& questions,
                             const Sequences& question_sequences, const QuestionOf& question_of) {
  DoubleNumbers result;
  for (std::int64_t b = 0; b < context_sequences.count(); ++b) {
    append(result, reference_bidirectional_attention(
                       similarity_of(values), rows_of(contexts, kFlowColumns, context_sequences, b),
                       rows_of(questions, kFlowColumns, question_sequences,
                               question_of[static_cast<std::size_t>(b)])));
  }
  return result;
}

DoubleNumbers self_reference(const ReferenceValues& values, const DoubleNumbers& rows,
                             const Sequences& sequences) {
  DoubleNumbers result;
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    append(result, reference_self_attention(similarity_of(values),
                                            rows_of(rows, kFlowColumns, sequences, b)));
  }
  return result;
}

TEST_CASE("attention of contexts to questions and back") {
  const Sequences context_sequences = sequences_of({5, 2, 1, 7});
  const Sequences question_sequences = sequences_of({3, 1, 4});
  const QuestionOf question_of = {0, 1, 1, 2};
  const Matrix contexts = normal_matrix(context_sequences.rows(), kFlowColumns, 1);
  const Matrix questions = normal_matrix(question_sequences.rows(), kFlowColumns, 2);
  Workers workers(2);
  BidirectionalAttention attention("a", kFlowColumns);
  ReferenceValues values = randomize(attention.parameters(), 3);
  Matrix found;
  attention.forward(contexts, context_sequences, questions, question_sequences, question_of,
                    workers, found);
  CHECK(found.columns == attention.outputs());
  DoubleNumbers c = widened(contexts);
  DoubleNumbers q = widened(questions);
  const auto reference = [&] {
    return flow_reference(values, c, context_sequences, q, question_sequences, question_of);
  };
  check_outputs(found.values, reference());

  const Matrix gradient = normal_matrix(found.rows, found.columns, 4);
  Matrix context_gradient;
  Matrix question_gradient;
  attention.backward(gradient, workers, context_gradient, question_gradient);
  const auto loss = [&] { return weighted(reference(), gradient); };
  check_gradient(context_gradient.values, c, loss);
  check_gradient(question_gradient.values, q, loss);
  check_gradients(attention.parameters(), values, loss);
}

TEST_CASE("attention of texts to themselves leaves out each row itself") {
  const Sequences sequences = sequences_of({4, 1, 2, 9});
  const Matrix rows = normal_matrix(sequences.rows(), kFlowColumns, 5);
  Workers workers(2);
  SelfAttention attention("a", kFlowColumns);
  ReferenceValues values = randomize(attention.parameters(), 6);
  Matrix found;
  attention.forward(rows, sequences, workers, found);
  CHECK(found.columns == attention.outputs());
  DoubleNumbers x = widened(rows);
  const auto reference = [&] { return self_reference(values, x, sequences); };
  check_outputs(found.values, reference());

  const Matrix gradient = normal_matrix(found.rows, found.columns, 7);
  Matrix row_gradient;
  attention.backward(gradient, workers, row_gradient);
  const auto loss = [&] { return weighted(reference(), gradient); };
  check_gradient(row_gradient.values, x, loss);
  check_gradients(attention.parameters(), values, loss);
}

TEST_CASE("self-attention of long texts in blocks of rows equals that of the whole") {
  const Sequences sequences = sequences_of({300, 3});
  const Matrix rows = normal_matrix(sequences.rows(), kFlowColumns, 8);
  Workers workers(1);
  SelfAttention attention("a", kFlowColumns);
  ReferenceValues values = randomize(attention.parameters(), 9);
  Matrix found;
  attention.forward(rows, sequences, workers, found);
  DoubleNumbers x = widened(rows);
  check_outputs(found.values, self_reference(values, x, sequences));
  // Checks a few rows only: differences for 300 rows take long.
  const Matrix gradient = normal_matrix(found.rows, found.columns, 10);
  Matrix row_gradient;
  attention.backward(gradient, workers, row_gradient);
  for (const std::int64_t row : {0, 255, 256, 302}) {
    CAPTURE(row);
    const auto begin = x.begin() + row * kFlowColumns;
    DoubleNumbers part(begin, begin + kFlowColumns);
    const float* of_row = row_gradient.row(row);
    check_gradient({of_row, of_row + kFlowColumns}, part, [&] {
      DoubleNumbers changed = x;
      std::copy(part.begin(), part.end(), changed.begin() + row * kFlowColumns);
      return weighted(self_reference(values, changed, sequences), gradient);
    });
  }
}

TEST_CASE("attention to questions has the same bits for any number of workers") {
  const Sequences context_sequences = sequences_of({40, 21, 3, 64, 17});
  const Sequences question_sequences = sequences_of({9, 12, 5});
  const QuestionOf question_of = {0, 0, 0, 1, 2};
  const Matrix contexts = normal_matrix(context_sequences.rows(), kFlowColumns, 11);
  const Matrix questions = normal_matrix(question_sequences.rows(), kFlowColumns, 12);
  std::vector<AlignedVector<float>> results;
  for (const int count : {1, 2, 3}) {
    Workers workers(count);
    BidirectionalAttention flow("a", kFlowColumns);
    SelfAttention self("a", 4 * kFlowColumns);
    randomize(flow.parameters(), 13);
    randomize(self.parameters(), 14);
    Matrix found;
    Matrix own;
    flow.forward(contexts, context_sequences, questions, question_sequences, question_of, workers,
                 found);
    self.forward(found, context_sequences, workers, own);
    Matrix gradient;
    self.backward(own, workers, gradient);
    Matrix context_gradient;
    Matrix question_gradient;
    flow.backward(gradient, workers, context_gradient, question_gradient);
    results.push_back(own.values);
    results.push_back(context_gradient.values);
    results.push_back(question_gradient.values);
    for (const Parameter* parameter : flow.parameters()) results.push_back(parameter->gradient);
    for (const Parameter* parameter : self.parameters()) results.push_back(parameter->gradient);
  }
  const std::size_t each = results.size() / 3;
  for (std::size_t i = each; i < results.size(); ++i) CHECK(results[i] == results[i % each]);
}

}  // namespace
}  // namespace elmo

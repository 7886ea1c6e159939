#include "core/train/backpropagation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/kernels/precision_support.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"
#include "tests/reference/training.h"

namespace elmo {
namespace {

/// What a batch is like.
struct ModelShape {
  std::string name;
  std::int64_t steps;
  std::int64_t lanes;
  std::int64_t types;
  std::int64_t vocabulary;
  std::int64_t samples;
  double reset_share;  ///< of all steps
  bool carried;        ///< the first steps go on from a state that is not zero
  float dropout;
};

const std::vector<ModelShape> kModelShapes{
    {"one token", 1, 1, 4, 12, 12, 0.0, false, 0.0F},
    {"some resets, few samples", 4, 3, 8, 30, 5, 0.3, true, 0.0F},
    {"dropout, carried state", 5, 2, 8, 30, 12, 0.0, true, 0.25F},
    {"all resets, all of the vocabulary", 3, 4, 8, 20, 20, 1.0, true, 0.5F},
};

/// Arguments of one run.
struct Work {
  ModelOptions model;
  Parameters parameters;
  SoftmaxLayer softmax;
  std::vector<std::string> types;
  std::vector<std::int32_t> rows;  ///< of the types in a word-level model's table
  TrainingBatch batch;
  NegativeSampler sampler;
  NegativeSample sample;
  StepOptions options;
  LaneStates states;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double unit() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
  float symmetric() { return static_cast<float>(2.0 * unit() - 1.0); }
  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(end));
  }

 private:
  std::mt19937_64 engine_;
};

/// `count` distinct tokens: of one letter, of none of our alphabet, too long for any small maximum,
/// and one that is spelled as a boundary.
std::vector<std::string> make_types(std::int64_t count, Random& random) {
  std::set<std::string> types{"<S>", "a", "語", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"};
  while (static_cast<std::int64_t>(types.size()) < count) {
    std::string token;
    for (std::int64_t length = 1 + random.below(8); length > 0; --length) {
      token += static_cast<char>('a' + random.below(5));
    }
    types.insert(token);
  }
  return {types.begin(), types.end()};
}

TrainingBatch make_batch(const ModelShape& shape, Random& random) {
  TrainingBatch batch;
  batch.steps = shape.steps;
  batch.lanes = shape.lanes;
  std::vector<std::uint32_t> inputs[2];
  std::set<std::uint32_t> distinct;
  for (std::int64_t i = 0; i < shape.steps * shape.lanes; ++i) {
    batch.resets.push_back(random.unit() < shape.reset_share ? 1 : 0);
    for (const std::size_t side : {0U, 1U}) {
      inputs[side].push_back(static_cast<std::uint32_t>(random.below(shape.types + kFirstType)));
      distinct.insert(inputs[side].back());
      batch.targets[side].push_back(static_cast<std::int32_t>(random.below(shape.vocabulary)));
    }
  }
  batch.types.assign(distinct.begin(), distinct.end());
  for (const std::size_t side : {0U, 1U}) {
    for (const std::uint32_t type : inputs[side]) {
      batch.inputs[side].push_back(
          static_cast<std::int32_t>(std::distance(distinct.begin(), distinct.find(type))));
    }
  }
  return batch;
}

AlignedVector<float> random_values(std::int64_t size, Random& random) {
  AlignedVector<float> values(static_cast<std::size_t>(size));
  for (float& value : values) value = random.symmetric();
  return values;
}

Work make_work(const ModelOptions& model, const ModelShape& shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string> words{"<S>", "</S>", "<UNK>"};
  while (static_cast<std::int64_t>(words.size()) < shape.vocabulary) {
    words.push_back("word" + std::to_string(words.size()));
  }
  const NegativeSampler sampler(shape.vocabulary, shape.samples);
  Work work{model,
            random_parameters(model, seed),
            {Vocabulary(std::move(words)),
             random_values(shape.vocabulary * model.lstm.projection_dim, random),
             random_values(shape.vocabulary, random)},
            make_types(shape.types, random),
            {},
            make_batch(shape, random),
            sampler,
            sampler.draw(seed, 3),
            {},
            zero_lane_states(model, shape.lanes)};
  if (!model.char_cnn) {
    // Some types share a row, as those do that are not known.
    for (std::int64_t type = 0; type < shape.types + kFirstType; ++type) {
      work.rows.push_back(static_cast<std::int32_t>(random.below(model.n_tokens_vocab)));
    }
  }
  work.options.dropout = shape.dropout;
  work.options.dropout_key = {seed, 7, 0};
  if (shape.carried) {
    for (auto& direction : work.states) {
      for (LaneState& state : direction) {
        for (float& value : state.output) value = 0.5F * random.symmetric();
        for (float& value : state.cell) value = random.symmetric();
      }
    }
  }
  return work;
}

ReferenceStep reference_step(const Work& work) {
  return {work.model, work.types, work.rows, work.batch, work.sample, work.options};
}

ReferenceSoftmax reference_softmax(const SoftmaxLayer& softmax) {
  return {{softmax.weights.begin(), softmax.weights.end()},
          {softmax.bias.begin(), softmax.bias.end()}};
}

/// One a lane.
std::vector<ReferenceState> reference_states(const LaneStates& states, const LstmOptions& options,
                                             std::int64_t lanes) {
  std::vector<ReferenceState> result(static_cast<std::size_t>(lanes),
                                     reference_zero_state(options));
  for (std::size_t lane = 0; lane < result.size(); ++lane) {
    for (const std::size_t side : {0U, 1U}) {
      for (std::size_t layer = 0; layer < states[side].size(); ++layer) {
        ReferenceCellState& state = result[lane][side][layer];
        const auto copy = [lane](const AlignedVector<float>& from, std::vector<double>& to) {
          for (std::size_t i = 0; i < to.size(); ++i) {
            to[i] = static_cast<double>(from[lane * to.size() + i]);
          }
        };
        copy(states[side][layer].output, state.h);
        copy(states[side][layer].cell, state.c);
      }
    }
  }
  return result;
}

double largest_difference(const std::vector<ReferenceState>& a,
                          const std::vector<ReferenceState>& b) {
  double largest = 0.0;
  for (std::size_t lane = 0; lane < a.size(); ++lane) {
    for (const std::size_t side : {0U, 1U}) {
      for (std::size_t layer = 0; layer < a[lane][side].size(); ++layer) {
        const auto compare = [&largest](const std::vector<double>& x,
                                        const std::vector<double>& y) {
          for (std::size_t i = 0; i < x.size(); ++i) {
            largest = std::max(largest, std::fabs(x[i] - y[i]));
          }
        };
        compare(a[lane][side][layer].h, b[lane][side][layer].h);
        compare(a[lane][side][layer].c, b[lane][side][layer].c);
      }
    }
  }
  return largest;
}

struct Ran {
  BatchLoss loss;
  LaneStates states;
  Gradients gradients;
};

Corpus corpus_of(const Work& work) { return {{}, {}, work.types, {}, work.rows}; }

Ran run(const Work& work, int threads, Precision precision = Precision::float32) {
  Backpropagation engine(work.model, corpus_of(work), {0, work.batch.lanes, work.batch.lanes},
                         threads, precision);
  Ran ran{{}, work.states, {}};
  ran.loss = engine.run(work.parameters, work.softmax, work.batch, work.sampler, work.sample,
                        work.options, ran.states, ran.gradients);
  return ran;
}

/// Holds gradients against differences of the reference's loss.
class GradientCheck {
 public:
  explicit GradientCheck(const Work& work)
      : work_(work),
        parameters_(reference_parameters(work.parameters)),
        softmax_(reference_softmax(work.softmax)),
        states_(reference_states(work.states, work.model.lstm, work.batch.lanes)),
        loss_(loss()) {}

  /// The largest difference between `gradient` and the differences at some of the places of
  /// `values`, as a share of the largest gradient there.
  double error(std::vector<double>& values, const std::vector<double>& gradient,
               std::int64_t checks) {
    std::vector<std::size_t> some;
    std::vector<std::size_t> alive;
    double largest = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      largest = std::max(largest, std::fabs(gradient[i]));
      if (gradient[i] != 0.0) alive.push_back(i);
    }
    for (std::int64_t check = 0; check < checks; ++check) {
      const bool anywhere = check % 4 == 0 || alive.empty();
      const auto size = static_cast<std::int64_t>(anywhere ? values.size() : alive.size());
      const auto place = static_cast<std::size_t>(random_.below(size));
      some.push_back(anywhere ? place : alive[place]);
    }
    const double unit = std::max(largest, kLeastGradient);
    double worst = 0.0;
    for (const std::size_t i : some) {
      const double value = values[i];
      values[i] = value + kStep;
      const double above = loss();
      values[i] = value - kStep;
      const double below = loss();
      values[i] = value;
      ++checked_;
      // Where a maximum, a relu or a clip changes sides within the step there is no derivative.
      const double bend = std::fabs(above - 2.0 * loss_ + below) / kStep;
      if (bend > 0.25 * kGradientTolerance * unit) {
        ++skipped_;
        continue;
      }
      worst = std::max(worst, std::fabs((above - below) / (2.0 * kStep) - gradient[i]) / unit);
    }
    return worst;
  }

  ReferenceParameters& parameters() { return parameters_; }
  ReferenceSoftmax& softmax() { return softmax_; }
  std::int64_t checked() const { return checked_; }
  std::int64_t skipped() const { return skipped_; }

 private:
  static constexpr double kStep = 1e-6;
  // Smaller gradients drown in the rounding of the differences.
  static constexpr double kLeastGradient = 1e-3;

  double loss() const {
    std::vector<ReferenceState> states = states_;
    const BatchLoss both = reference_loss(reference_step(work_), parameters_, softmax_, states);
    return (both.forward + both.backward) / 2.0;
  }

  const Work& work_;
  ReferenceParameters parameters_;
  ReferenceSoftmax softmax_;
  std::vector<ReferenceState> states_;
  double loss_;
  Random random_{5};
  std::int64_t checked_ = 0;
  std::int64_t skipped_ = 0;
};

void check_forward(const Work& work, const Ran& ran) {
  std::vector<ReferenceState> states =
      reference_states(work.states, work.model.lstm, work.batch.lanes);
  const BatchLoss loss = reference_loss(reference_step(work), reference_parameters(work.parameters),
                                        reference_softmax(work.softmax), states);
  CHECK(std::fabs(ran.loss.forward - loss.forward) < kFloat32Tolerance);
  CHECK(std::fabs(ran.loss.backward - loss.backward) < kFloat32Tolerance);
  CHECK(largest_difference(reference_states(ran.states, work.model.lstm, work.batch.lanes),
                           states) < kFloat32Tolerance);
}

std::set<std::int32_t> touched_rows(const Work& work) {
  std::set<std::int32_t> rows(work.sample.ids.begin(), work.sample.ids.end());
  for (const auto& targets : work.batch.targets) rows.insert(targets.begin(), targets.end());
  return rows;
}

/// The gradient of a word-level model's table, [V, P], that of untouched rows zero.
AlignedVector<float> whole_table(const Work& work, const Gradients& gradients) {
  const std::size_t index = *work.parameters.index().word_embedding;
  const AlignedVector<float>& some = gradients.parameters[index];
  std::set<std::int32_t> touched;
  for (const std::uint32_t type : work.batch.types) touched.insert(work.rows[type]);
  REQUIRE(gradients.word_rows == std::vector<std::int32_t>(touched.begin(), touched.end()));
  const auto width = static_cast<std::size_t>(work.model.lstm.projection_dim);
  REQUIRE(some.size() == touched.size() * width);
  AlignedVector<float> all(work.parameters.all()[index].values.size(), 0.0F);
  for (std::size_t n = 0; n < gradients.word_rows.size(); ++n) {
    std::copy_n(some.begin() + static_cast<std::ptrdiff_t>(n * width), width,
                all.begin() + gradients.word_rows[n] * work.model.lstm.projection_dim);
  }
  return all;
}

void check_model_gradients(const Work& work, const Ran& ran, std::int64_t checks) {
  GradientCheck check(work);
  REQUIRE(ran.gradients.parameters.size() == work.parameters.all().size());
  for (std::size_t i = 0; i < ran.gradients.parameters.size(); ++i) {
    const std::string& name = work.parameters.all()[i].spec.name;
    CAPTURE(name);
    AlignedVector<float> gradient = ran.gradients.parameters[i];
    if (i == work.parameters.index().word_embedding) gradient = whole_table(work, ran.gradients);
    std::vector<double>& values = check.parameters().at(name);
    REQUIRE(gradient.size() == values.size());
    const std::vector<double> exact(gradient.begin(), gradient.end());
    CHECK(check.error(values, exact, checks) < kGradientTolerance);
  }

  const SoftmaxGradient& softmax = ran.gradients.softmax;
  const std::set<std::int32_t> touched = touched_rows(work);
  REQUIRE(softmax.rows == std::vector<std::int32_t>(touched.begin(), touched.end()));
  const auto width = static_cast<std::size_t>(work.model.lstm.projection_dim);
  REQUIRE(softmax.weights.size() == softmax.rows.size() * width);
  REQUIRE(softmax.bias.size() == softmax.rows.size());
  std::vector<double> weights(work.softmax.weights.size(), 0.0);
  std::vector<double> bias(work.softmax.bias.size(), 0.0);
  for (std::size_t n = 0; n < softmax.rows.size(); ++n) {
    const auto row = static_cast<std::size_t>(softmax.rows[n]);
    std::copy_n(softmax.weights.begin() + static_cast<std::ptrdiff_t>(n * width), width,
                weights.begin() + static_cast<std::ptrdiff_t>(row * width));
    bias[row] = static_cast<double>(softmax.bias[n]);
  }
  CHECK(check.error(check.softmax().weights, weights, 2 * checks) < kGradientTolerance);
  CHECK(check.error(check.softmax().bias, bias, checks) < kGradientTolerance);
  CHECK(100 * check.skipped() <= check.checked());
}

/// The largest difference as a share of the largest gradient.
double difference(const AlignedVector<float>& found, const AlignedVector<float>& expected) {
  REQUIRE(found.size() == expected.size());
  double largest = 0.0;
  double worst = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::max(largest, std::fabs(double{expected[i]}));
    worst = std::max(worst, std::fabs(double{found[i]} - double{expected[i]}));
  }
  return worst / largest;
}

std::vector<ModelCase> short_models() {
  std::vector<ModelCase> cases;
  for (ModelCase& model : model_cases()) {
    if (model.options.char_cnn) {
      std::int64_t& length = model.options.char_cnn->max_characters_per_token;
      length = std::min<std::int64_t>(length, 14);  // the reference is slow
    }
    cases.push_back(std::move(model));
  }
  return cases;
}

TEST_CASE("loss, end states and gradients of every kind of model are those of the equations") {
  std::uint64_t seed = 0;
  for (const ModelCase& model : short_models()) {
    CAPTURE(model.name);
    for (const ModelShape& shape : kModelShapes) {
      CAPTURE(shape.name);
      const Work work = make_work(model.options, shape, ++seed);
      const Ran ran = run(work, 1 + static_cast<int>(seed % 2));
      check_forward(work, ran);
      check_model_gradients(work, ran, 8);
    }
  }
}

TEST_CASE("a batch of more tokens and types than are taken at a time, with any number of threads") {
  ModelOptions model = small_options();
  model.lstm.n_layers = 1;
  model.char_cnn->max_characters_per_token = 10;
  const ModelShape shape{"large", 9, 33, 150, 1000, 300, 0.1, true, 0.1F};
  const Work work = make_work(model, shape, 3);
  const Ran expected = run(work, 1);
  check_forward(work, expected);
  check_model_gradients(work, expected, 4);
  for (const int threads : {2, 4, 7}) {
    CAPTURE(threads);
    const Ran ran = run(work, threads);
    check_forward(work, ran);
    for (std::size_t i = 0; i < ran.gradients.parameters.size(); ++i) {
      CAPTURE(work.parameters.all()[i].spec.name);
      CHECK(difference(ran.gradients.parameters[i], expected.gradients.parameters[i]) <
            kGradientTolerance);
    }
    CHECK(ran.gradients.softmax.rows == expected.gradients.softmax.rows);
    CHECK(difference(ran.gradients.softmax.weights, expected.gradients.softmax.weights) <
          kGradientTolerance);
    CHECK(difference(ran.gradients.softmax.bias, expected.gradients.softmax.bias) <
          kGradientTolerance);
  }
}

TEST_CASE("the same arguments give the same bits, whatever the engine and the gradients held") {
  const Work work = make_work(small_options(), kModelShapes[2], 4);
  const Work other = make_work(small_options(), kModelShapes[1], 5);  // as many types
  for (const int threads : {1, 2}) {
    CAPTURE(threads);
    const Ran expected = run(work, threads);
    Backpropagation engine(work.model, corpus_of(work), {0, work.batch.lanes, work.batch.lanes},
                           threads, Precision::float32);
    Gradients gradients;
    for (const Work* each : {&work, &other, &work}) {
      LaneStates states = each->states;
      const BatchLoss loss = engine.run(each->parameters, each->softmax, each->batch, each->sampler,
                                        each->sample, each->options, states, gradients);
      if (each != &work) continue;
      CHECK(loss.forward == expected.loss.forward);
      CHECK(loss.backward == expected.loss.backward);
      CHECK(gradients.parameters == expected.gradients.parameters);
      CHECK(gradients.softmax.rows == expected.gradients.softmax.rows);
      CHECK(gradients.softmax.weights == expected.gradients.softmax.weights);
      CHECK(gradients.softmax.bias == expected.gradients.softmax.bias);
      for (const std::size_t side : {0U, 1U}) {
        for (std::size_t layer = 0; layer < states[side].size(); ++layer) {
          CHECK(states[side][layer].output == expected.states[side][layer].output);
          CHECK(states[side][layer].cell == expected.states[side][layer].cell);
        }
      }
    }
  }
}

TEST_CASE("with products of bfloat16, loss and gradients are nearly those of float32") {
  if (!is_supported(Precision::bfloat16)) {
    MESSAGE("skipped: this CPU has no instructions for bfloat16");
    return;
  }
  // Of vectors, not of numbers: those near zero are sums of larger ones.
  const auto distance = [](const AlignedVector<float>& found,
                           const AlignedVector<float>& expected) {
    double squares = 0.0;
    double differences = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      squares += double{expected[i]} * double{expected[i]};
      differences += std::pow(double{found[i]} - double{expected[i]}, 2);
    }
    return std::sqrt(differences / squares);
  };
  for (const ModelCase& model : short_models()) {
    CAPTURE(model.name);
    const Work work = make_work(model.options, kModelShapes[2], 7);
    const Ran expected = run(work, 2);
    const Ran ran = run(work, 2, Precision::bfloat16);
    CHECK(ran.loss.forward == doctest::Approx(expected.loss.forward).epsilon(0.01));
    CHECK(ran.loss.backward == doctest::Approx(expected.loss.backward).epsilon(0.01));
    for (std::size_t i = 0; i < ran.gradients.parameters.size(); ++i) {
      CAPTURE(work.parameters.all()[i].spec.name);
      CHECK(distance(ran.gradients.parameters[i], expected.gradients.parameters[i]) < 0.1);
    }
    CHECK(distance(ran.gradients.softmax.weights, expected.gradients.softmax.weights) < 0.05);
    const Ran again = run(work, 2, Precision::bfloat16);
    CHECK(again.gradients.parameters == ran.gradients.parameters);
  }
}

TEST_CASE("the softmax alone has the same loss and gradient as with the biLM") {
  Work work = make_work(small_options(), kModelShapes[2], 6);
  const Ran expected = run(work, 2);
  work.options.softmax_only = true;
  const Ran ran = run(work, 2);
  CHECK(ran.loss.forward == expected.loss.forward);
  CHECK(ran.loss.backward == expected.loss.backward);
  CHECK(ran.gradients.softmax.rows == expected.gradients.softmax.rows);
  CHECK(ran.gradients.softmax.weights == expected.gradients.softmax.weights);
  CHECK(ran.gradients.softmax.bias == expected.gradients.softmax.bias);
}

TEST_CASE(
    "a frozen word-level model has a gradient of zero, and rows that a batch reads elsewhere") {
  Work work = make_work(model_case("words"), kModelShapes[1], 8);
  work.options.softmax_only = true;
  const Ran frozen = run(work, 2);
  const AlignedVector<float> table = whole_table(work, frozen.gradients);
  CHECK(std::all_of(table.begin(), table.end(), [](float value) { return value == 0.0F; }));
  work.options.softmax_only = false;
  const Ran alone = run(work, 1);
  for (std::uint32_t type = 0; type < work.rows.size(); ++type) {
    work.batch.read_elsewhere.push_back(type);
  }
  const Ran beside = run(work, 1);
  const std::set<std::int32_t> all(work.rows.begin(), work.rows.end());
  REQUIRE(beside.gradients.word_rows == std::vector<std::int32_t>(all.begin(), all.end()));
  const std::size_t index = *work.parameters.index().word_embedding;
  const auto width = static_cast<std::size_t>(work.model.lstm.projection_dim);
  for (std::size_t n = 0; n < beside.gradients.word_rows.size(); ++n) {
    const std::vector<std::int32_t>& rows = alone.gradients.word_rows;
    const auto at = std::find(rows.begin(), rows.end(), beside.gradients.word_rows[n]);
    for (std::size_t i = 0; i < width; ++i) {
      const float expected =
          at == rows.end()
              ? 0.0F
              : alone.gradients
                    .parameters[index][static_cast<std::size_t>(at - rows.begin()) * width + i];
      CHECK(beside.gradients.parameters[index][n * width + i] == expected);
    }
  }
}

}  // namespace
}  // namespace elmo

#include "core/train/bilm/backpropagation.h"

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
#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "tests/core/nn/parameters.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"
#include "tests/reference/training.h"

namespace elmo {
namespace {

/// The properties of a batch.
struct ModelShape {
  std::string name;
  std::int64_t steps;
  std::int64_t lanes;
  std::int64_t types;
  std::int64_t vocabulary;
  std::int64_t samples;
  double reset_share;  ///< share of all steps that reset the state
  bool carried;        ///< the first steps resume from a nonzero state
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
  TrainedBilm model;
  std::vector<std::string> types;
  std::vector<std::int32_t> rows;  ///< rows of the types in a word-level model's table
  TrainingStep step;
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

/// Returns `count` distinct tokens: of one letter, of letters outside our alphabet, too long for
/// any small maximum, and one spelled like a boundary.
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

Work make_work(const ModelOptions& model, const ModelShape& shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string> words{"<S>", "</S>", "<UNK>"};
  while (static_cast<std::int64_t>(words.size()) < shape.vocabulary) {
    words.push_back("word" + std::to_string(words.size()));
  }
  SoftmaxLayer softmax(Vocabulary(std::move(words)), model.lstm.projection_dim);
  for (Parameter* parameter : {&softmax.weights, &softmax.bias}) {
    for (float& value : parameter->values) value = random.symmetric();
  }
  Work work{{model, random_parameters(model, seed), std::move(softmax)},
            make_types(shape.types, random),
            {},
            {},
            {LstmState::zero(model.lstm, shape.lanes), LstmState::zero(model.lstm, shape.lanes)}};
  work.step.batch = make_batch(shape, random);
  work.step.sample = draw_negatives(shape.vocabulary, shape.samples, seed, 3);
  if (!model.char_cnn) {
    // Some types share a row, as unknown words do.
    for (std::int64_t type = 0; type < shape.types + kFirstType; ++type) {
      work.rows.push_back(static_cast<std::int32_t>(random.below(model.n_tokens_vocab)));
    }
  }
  work.step.options.dropout = shape.dropout;
  work.step.options.dropout_key = {seed, 7, 0};
  if (shape.carried) {
    for (LstmState& direction : work.states) {
      for (LstmState::Layer& layer : direction.layers) {
        for (float& value : layer.h) value = 0.5F * random.symmetric();
        for (float& value : layer.c) value = random.symmetric();
      }
    }
  }
  return work;
}

ReferenceStep reference_step(const Work& work) {
  return {work.model.options, work.types, work.rows, work.step};
}

ReferenceSoftmax reference_softmax(const SoftmaxLayer& softmax) {
  return {{softmax.weights.values.begin(), softmax.weights.values.end()},
          {softmax.bias.values.begin(), softmax.bias.values.end()}};
}

/// One sentence per lane.
std::vector<ReferenceState> reference_states(const LaneStates& states, const LstmOptions& options,
                                             std::int64_t lanes) {
  std::vector<ReferenceState> result(static_cast<std::size_t>(lanes),
                                     reference_zero_state(options));
  for (std::size_t lane = 0; lane < result.size(); ++lane) {
    for (const std::size_t side : {0U, 1U}) {
      for (std::size_t layer = 0; layer < states[side].layers.size(); ++layer) {
        ReferenceCellState& state = result[lane][side][layer];
        const auto copy = [lane](const AlignedVector<float>& from, std::vector<double>& to) {
          for (std::size_t i = 0; i < to.size(); ++i) {
            to[i] = static_cast<double>(from[lane * to.size() + i]);
          }
        };
        copy(states[side].layers[layer].h, state.h);
        copy(states[side].layers[layer].c, state.c);
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
  TrainedBilm model;  ///< and its gradients
};

TrainedBilm copy_of(const TrainedBilm& model) {
  TrainedBilm copy{
      model.options, model.parameters,
      SoftmaxLayer(Vocabulary(model.softmax.vocabulary.words()), model.softmax.width())};
  copy.softmax.weights = model.softmax.weights;
  copy.softmax.bias = model.softmax.bias;
  return copy;
}

std::vector<AlignedVector<float>> gradients_of(TrainedBilm& model) {
  std::vector<AlignedVector<float>> gradients;
  for (const Parameter* parameter : model.all()) gradients.push_back(parameter->gradient);
  return gradients;
}

Corpus corpus_of(const Work& work) { return {{}, {}, work.types, {}, work.rows}; }

Ran run(const Work& work, int threads, Precision precision = Precision::float32) {
  Ran ran{{}, work.states, copy_of(work.model)};
  const std::int64_t lanes = work.step.batch.lanes;
  Backpropagation engine(ran.model, corpus_of(work), {0, lanes, lanes}, threads, precision);
  ran.loss = engine.run(work.step, ran.states);
  return ran;
}

/// Compares gradients with differences of the reference's loss.
class GradientCheck {
 public:
  explicit GradientCheck(const Work& work)
      : work_(work),
        parameters_(reference_parameters(work.model.parameters)),
        softmax_(reference_softmax(work.model.softmax)),
        states_(reference_states(work.states, work.model.options.lstm, work.step.batch.lanes)),
        loss_(loss()) {}

  /// Returns the largest difference between `gradient` and the differences at some positions of
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
    const double unit = std::max(largest, kMinGradient);
    double worst = 0.0;
    for (const std::size_t i : some) {
      const double value = values[i];
      values[i] = value + kStep;
      const double above = loss();
      values[i] = value - kStep;
      const double below = loss();
      values[i] = value;
      ++checked_;
      // There is no derivative if a maximum, a relu or a clip changes sides within the step.
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
  // Smaller gradients are lost in the rounding of the differences.
  static constexpr double kMinGradient = 1e-3;

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
      reference_states(work.states, work.model.options.lstm, work.step.batch.lanes);
  const BatchLoss loss =
      reference_loss(reference_step(work), reference_parameters(work.model.parameters),
                     reference_softmax(work.model.softmax), states);
  CHECK(std::fabs(ran.loss.forward - loss.forward) < kFloat32Tolerance);
  CHECK(std::fabs(ran.loss.backward - loss.backward) < kFloat32Tolerance);
  CHECK(largest_difference(
            reference_states(ran.states, work.model.options.lstm, work.step.batch.lanes), states) <
        kFloat32Tolerance);
}

std::set<std::int32_t> touched_rows(const Work& work) {
  std::set<std::int32_t> rows(work.step.sample.ids.begin(), work.step.sample.ids.end());
  for (const auto& targets : work.step.batch.targets) rows.insert(targets.begin(), targets.end());
  return rows;
}

/// Returns the gradient of a word-level model's table, [V, P]; rows that are not touched have
/// zeros.
AlignedVector<float> whole_table(const Work& work, const TrainedBilm& model) {
  const Parameter& table = model.parameters[*model.parameters.index().word_embedding];
  std::set<std::int32_t> touched;
  for (const std::uint32_t type : work.step.batch.types) touched.insert(work.rows[type]);
  REQUIRE(table.touched == std::vector<std::int32_t>(touched.begin(), touched.end()));
  REQUIRE(table.gradient.size() == table.gradient_size());
  return whole_gradient(table);
}

void check_model_gradients(const Work& work, const Ran& ran, std::int64_t checks) {
  GradientCheck check(work);
  for (const Parameter& parameter : ran.model.parameters.all()) {
    CAPTURE(parameter.name);
    const bool is_table = parameter.name == "embedding";
    const AlignedVector<float> gradient =
        is_table ? whole_table(work, ran.model) : parameter.gradient;
    std::vector<double>& values = check.parameters().at(parameter.name);
    REQUIRE(gradient.size() == values.size());
    const std::vector<double> exact(gradient.begin(), gradient.end());
    CHECK(check.error(values, exact, checks) < kGradientTolerance);
  }

  const SoftmaxLayer& softmax = ran.model.softmax;
  const std::set<std::int32_t> touched = touched_rows(work);
  for (const Parameter* parameter : {&softmax.weights, &softmax.bias}) {
    REQUIRE(parameter->touched == std::vector<std::int32_t>(touched.begin(), touched.end()));
    REQUIRE(parameter->gradient.size() == parameter->gradient_size());
  }
  const AlignedVector<float> weights = whole_gradient(softmax.weights);
  const AlignedVector<float> bias = whole_gradient(softmax.bias);
  CHECK(check.error(check.softmax().weights, {weights.begin(), weights.end()}, 2 * checks) <
        kGradientTolerance);
  CHECK(check.error(check.softmax().bias, {bias.begin(), bias.end()}, checks) < kGradientTolerance);
  CHECK(100 * check.skipped() <= check.checked());
}

/// Returns the largest difference as a share of the largest gradient.
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

TEST_CASE("loss, end states and gradients of every kind of model follow the equations") {
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

TEST_CASE(
    "a batch of more tokens and types than are processed at once, with any number of threads") {
  ModelOptions model = small_options();
  model.lstm.n_layers = 1;
  model.char_cnn->max_characters_per_token = 10;
  const ModelShape shape{"large", 9, 33, 150, 1000, 300, 0.1, true, 0.1F};
  const Work work = make_work(model, shape, 3);
  Ran expected = run(work, 1);
  check_forward(work, expected);
  check_model_gradients(work, expected, 4);
  const std::vector<Parameter*> all = expected.model.all();
  for (const int threads : {2, 4, 7}) {
    CAPTURE(threads);
    Ran ran = run(work, threads);
    check_forward(work, ran);
    for (std::size_t i = 0; i < all.size(); ++i) {
      CAPTURE(all[i]->name);
      CHECK(ran.model.all()[i]->touched == all[i]->touched);
      CHECK(difference(ran.model.all()[i]->gradient, all[i]->gradient) < kGradientTolerance);
    }
  }
}

TEST_CASE("the same arguments give the same bits, whatever the engine computed before") {
  const Work work = make_work(small_options(), kModelShapes[2], 4);
  for (const int threads : {1, 2}) {
    CAPTURE(threads);
    Ran expected = run(work, threads);
    TrainedBilm model = copy_of(work.model);
    const std::int64_t lanes = work.step.batch.lanes;
    Backpropagation engine(model, corpus_of(work), {0, lanes, lanes}, threads, Precision::float32);
    LaneStates states = work.states;
    engine.run(work.step, states);
    TrainingStep another = work.step;
    another.sample = draw_negatives(30, 5, 8, 8);
    std::swap(another.batch.inputs[0], another.batch.inputs[1]);
    engine.run(another, states);
    states = work.states;
    const BatchLoss loss = engine.run(work.step, states);
    CHECK(loss.forward == expected.loss.forward);
    CHECK(loss.backward == expected.loss.backward);
    CHECK(gradients_of(model) == gradients_of(expected.model));
    CHECK(model.softmax.weights.touched == expected.model.softmax.weights.touched);
    for (const std::size_t side : {0U, 1U}) {
      for (std::size_t layer = 0; layer < states[side].layers.size(); ++layer) {
        CHECK(states[side].layers[layer].h == expected.states[side].layers[layer].h);
        CHECK(states[side].layers[layer].c == expected.states[side].layers[layer].c);
      }
    }
  }
}

TEST_CASE("with bfloat16 products, loss and gradients are close to float32") {
  if (!is_supported(Precision::bfloat16)) {
    MESSAGE("skipped: this CPU has no instructions for bfloat16");
    return;
  }
  // Compares vectors, not single numbers: numbers near zero are sums of larger ones.
  const auto distance = [](const Parameter& found, const Parameter& expected) {
    double squares = 0.0;
    double differences = 0.0;
    for (std::size_t i = 0; i < found.gradient.size(); ++i) {
      squares += double{expected.gradient[i]} * double{expected.gradient[i]};
      differences += std::pow(double{found.gradient[i]} - double{expected.gradient[i]}, 2);
    }
    return std::sqrt(differences / squares);
  };
  for (const ModelCase& model : short_models()) {
    CAPTURE(model.name);
    const Work work = make_work(model.options, kModelShapes[2], 7);
    Ran expected = run(work, 2);
    Ran ran = run(work, 2, Precision::bfloat16);
    CHECK(ran.loss.forward == doctest::Approx(expected.loss.forward).epsilon(0.01));
    CHECK(ran.loss.backward == doctest::Approx(expected.loss.backward).epsilon(0.01));
    for (std::size_t i = 0; i < ran.model.parameters.all().size(); ++i) {
      CAPTURE(ran.model.parameters[i].name);
      CHECK(distance(ran.model.parameters[i], expected.model.parameters[i]) < 0.1);
    }
    CHECK(distance(ran.model.softmax.weights, expected.model.softmax.weights) < 0.05);
    Ran again = run(work, 2, Precision::bfloat16);
    CHECK(gradients_of(again.model) == gradients_of(ran.model));
  }
}

TEST_CASE("training only the softmax gives the same loss and gradient as with the biLM") {
  Work work = make_work(small_options(), kModelShapes[2], 6);
  const Ran expected = run(work, 2);
  work.step.options.softmax_only = true;
  const Ran ran = run(work, 2);
  CHECK(ran.loss.forward == expected.loss.forward);
  CHECK(ran.loss.backward == expected.loss.backward);
  const SoftmaxLayer& softmax = ran.model.softmax;
  CHECK(softmax.weights.touched == expected.model.softmax.weights.touched);
  CHECK(softmax.weights.gradient == expected.model.softmax.weights.gradient);
  CHECK(softmax.bias.gradient == expected.model.softmax.bias.gradient);
}

TEST_CASE("a frozen word-level model has a zero gradient, and rows read elsewhere are touched") {
  Work work = make_work(model_case("words"), kModelShapes[1], 8);
  work.step.options.softmax_only = true;
  const Ran frozen = run(work, 2);
  const AlignedVector<float> table = whole_table(work, frozen.model);
  CHECK(std::all_of(table.begin(), table.end(), [](float value) { return value == 0.0F; }));
  work.step.options.softmax_only = false;
  const Ran alone = run(work, 1);
  for (std::uint32_t type = 0; type < work.rows.size(); ++type) {
    work.step.batch.read_elsewhere.push_back(type);
  }
  const Ran beside = run(work, 1);
  const Parameter& touched =
      beside.model.parameters[*beside.model.parameters.index().word_embedding];
  const std::set<std::int32_t> all(work.rows.begin(), work.rows.end());
  CHECK(touched.touched == std::vector<std::int32_t>(all.begin(), all.end()));
  CHECK(whole_gradient(touched) == whole_table(work, alone.model));
}

}  // namespace
}  // namespace elmo

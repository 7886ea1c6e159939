// Scores of labels, and labels that a model does not know.
#include "core/tasks/common/label_scores.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "core/error.h"

namespace elmo {
namespace {

using Strings = std::vector<std::string>;

/// Scores labels given by name.
class Scored {
 public:
  explicit Scored(bool spans) : scores_(labels_, true, spans) {}

  void add(const Strings& expected, const Strings& predicted) {
    TaskRecord record;
    LabelPrediction prediction;
    std::vector<std::int32_t> gold;
    for (const std::string& label : expected) gold.push_back(labels_.add(label));
    record.gold = std::make_shared<LabelGold>(std::move(gold));
    for (const std::string& label : predicted) prediction.labels.push_back(labels_.add(label));
    scores_.add(record, prediction);
  }
  const LabelScores* operator->() const { return &scores_; }

 private:
  LabelSet labels_;
  LabelScores scores_;
};

}  // namespace

TEST_CASE("spans are scored as conlleval scores them") {
  // Computed by hand: accuracy 55.56 %, precision 40.00 %, recall 66.67 %, FB1 50.00;
  // A 50.00, 50.00, 50.00; B 33.33, 100.00, 50.00.
  Scored scores(true);
  scores.add(Strings{"B-A", "I-A", "O", "B-B", "O", "B-A"},
             Strings{"B-A", "I-A", "B-B", "B-B", "I-A", "O"});
  scores.add(Strings{"O", "O", "O"}, Strings{"O", "O", "B-B"});
  CHECK(std::get<std::uint64_t>(scores->figures().at(5).value) == 9);
  CHECK(scores->accuracy() == doctest::Approx(100.0 * 5 / 9));
  CHECK(scores->all().expected == 3);
  CHECK(scores->all().predicted == 5);
  CHECK(scores->all().precision() == doctest::Approx(40.0));
  CHECK(scores->all().recall() == doctest::Approx(200.0 / 3));
  CHECK(scores->all().f1() == doctest::Approx(50.0));
  REQUIRE(scores->types().size() == 2);
  CHECK(scores->types().at("A").f1() == doctest::Approx(50.0));
  CHECK(scores->types().at("B").precision() == doctest::Approx(100.0 / 3));
  CHECK(scores->types().at("B").recall() == doctest::Approx(100.0));
}

TEST_CASE("labels without spans are scored by token") {
  Scored scores(false);
  scores.add(Strings{"NN", "VB", "NN"}, Strings{"NN", "NN", "JJ"});
  CHECK(scores->accuracy() == doctest::Approx(100.0 / 3));
  CHECK(scores->all().f1() == doctest::Approx(100.0 / 3));
  CHECK(scores->types().at("NN").recall() == doctest::Approx(50.0));
  CHECK(scores->types().at("NN").precision() == doctest::Approx(50.0));
  CHECK(scores->types().at("JJ").precision() == 0.0);
  CHECK(scores->types().at("VB").f1() == 0.0);
  CHECK(scores->macro_f1() == doctest::Approx(50.0 / 2));  // averages NN and VB
  CHECK_THROWS_AS(scores.add(Strings{"NN"}, Strings{}), std::logic_error);
}

TEST_CASE("the mean F1 is over the types that were expected") {
  Scored scores(true);
  scores.add(Strings{"B-A", "O", "O"}, Strings{"B-A", "B-B", "O"});
  CHECK(scores->types().size() == 2);
  CHECK(scores->macro_f1() == doctest::Approx(100.0));
}

TEST_CASE("scores without examples are 0") {
  const Scored scores(true);
  CHECK(scores->accuracy() == 0.0);
  CHECK(scores->all().f1() == 0.0);
  CHECK(scores->macro_f1() == 0.0);
}

TEST_CASE("most labels of a file must be known, and O does not count") {
  KnownLabels known;
  known.add("O", false);
  known.add("B-X", false);
  known.add("B-A", true);
  known.check("file");
  CHECK(known.unknown() == 1);
  CHECK(known.first_unknown() == "B-X");
  known.add("B-Y", false);
  CHECK_THROWS_WITH_AS(
      known.check("file"),
      "file: training never saw the label in 2 of 3 cases, such as 'B-X'; expected labels "
      "of the same kind as in the training data",
      InputError);
}

}  // namespace elmo

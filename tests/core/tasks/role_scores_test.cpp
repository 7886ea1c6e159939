#include "core/tasks/role_scores.h"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <sstream>

namespace elmo {
namespace {

using Words = std::vector<std::string>;
using Parts = std::vector<std::pair<std::size_t, std::size_t>>;

Words arguments_of(const std::string& text) {
  std::istringstream in(text);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Scores frames, with one prediction per pair.
class ScoredFrames {
 public:
  void add(const Words& expected, const Words& predicted) {
    TaskRecord record;
    record.texts = {0};
    std::vector<std::int32_t> gold;
    FramePrediction prediction;
    for (const std::string& label : expected) gold.push_back(labels_.add(label));
    record.gold = std::make_shared<FrameGold>(std::vector{0}, std::move(gold));
    for (const std::string& label : predicted) prediction.labels.push_back(labels_.add(label));
    scores_.add(record, prediction);
  }
  void add(const std::string& expected, const std::string& predicted) {
    add(arguments_of(expected), arguments_of(predicted));
  }
  RoleScores& scores() { return scores_; }
  std::uint64_t count(const std::string& role, const std::string& which) const {
    for (const ScoreFigure& figure : scores_.figures()) {
      if (figure.name != "labels") continue;
      for (const ScoreFigure& own : std::get<std::vector<ScoreFigure>>(figure.value)) {
        if (own.name != role) continue;
        for (const ScoreFigure& number : std::get<std::vector<ScoreFigure>>(own.value)) {
          if (number.name == which) return std::get<std::uint64_t>(number.value);
        }
      }
    }
    return 0;
  }

 private:
  LabelSet labels_;
  RoleScores scores_{labels_};
};

/// Counts like srl-eval.pl, written from its description: every argument is a set of labeled
/// tokens, and arguments of a frame are compared as sets.
struct ReferenceCounts {
  std::uint64_t expected = 0;
  std::uint64_t predicted = 0;
  std::uint64_t correct = 0;

  using Argument = std::pair<std::string, std::string>;  // role, and where it is: "1+ 2. 3+"

  static std::set<Argument> arguments(const Words& labels) {
    std::vector<Argument> found;
    for (std::size_t begin = 0; begin < labels.size(); ++begin) {
      if (labels[begin] == "O" || labels[begin][0] == 'I') continue;
      std::string role = labels[begin].substr(2);
      std::string tokens = " from " + std::to_string(begin);
      std::size_t end = begin + 1;
      while (end < labels.size() && labels[end] == "I-" + role) ++end;
      tokens += " to " + std::to_string(end);
      Argument* continued = nullptr;
      if (role.substr(0, 2) == "C-") {
        role = role.substr(2);
        for (Argument& argument : found) {
          if (argument.first == role) continued = &argument;  // the last one is continued
        }
      }
      if (continued != nullptr) {
        continued->second += tokens;
      } else {
        found.emplace_back(role, tokens);
      }
    }
    std::set<Argument> kept;
    for (const Argument& argument : found) {
      if (argument.first != "V") kept.insert(argument);
    }
    return kept;
  }

  void add(const Words& gold, const Words& guess) {
    const std::set<Argument> wanted = arguments(gold);
    const std::set<Argument> given = arguments(guess);
    expected += wanted.size();
    predicted += given.size();
    for (const Argument& argument : given) correct += wanted.count(argument);
  }
};

/// Returns a random sequence that BIO allows.
Words random_frame(std::mt19937& engine, std::size_t tokens) {
  static const Words roles = {"V", "A0", "A1", "C-A0", "C-A1", "R-A0", "C-V", "C-R-A0"};
  Words labels;
  while (labels.size() < tokens) {
    const auto draw = engine() % (2 * roles.size());
    if (draw >= roles.size()) {
      labels.emplace_back("O");
      continue;
    }
    labels.push_back("B-" + roles[draw]);
    while (labels.size() < tokens && engine() % 3 == 0) labels.push_back("I-" + roles[draw]);
  }
  return labels;
}

TEST_CASE("arguments of a frame, with their continuations") {
  CHECK(role_arguments(arguments_of("B-A0 I-A0 B-V O B-A1")) ==
        std::vector<RoleArgument>{{"A0", {{0, 2}}}, {"A1", {{4, 5}}}});
  CHECK(role_arguments(arguments_of("B-A1 B-V B-C-A1 I-C-A1 O B-C-A1")) ==
        std::vector<RoleArgument>{{"A1", {{0, 1}, {2, 4}, {5, 6}}}});
  // The last argument of the same role is continued.
  CHECK(role_arguments(arguments_of("B-A1 B-A1 B-V B-C-A1")) ==
        std::vector<RoleArgument>{{"A1", {{0, 1}}}, {"A1", {{1, 2}, {3, 4}}}});
  // Without an earlier one, it is an argument of its own, which the next one continues.
  CHECK(role_arguments(arguments_of("B-C-A1 B-V O B-C-A1")) ==
        std::vector<RoleArgument>{{"A1", {{0, 1}, {3, 4}}}});
  CHECK(role_arguments(arguments_of("B-A0 B-R-A0 B-V")) ==
        std::vector<RoleArgument>{{"A0", {{0, 1}}}, {"R-A0", {{1, 2}}}});
  CHECK(role_arguments(arguments_of("B-V I-V O B-C-V")).empty());
}

TEST_CASE("arguments are correct if their role and all their parts are") {
  ScoredFrames frames;
  frames.add("B-A0 B-V B-A1 I-A1", "B-A0 B-V B-A1 I-A1");
  CHECK(frames.scores().score() == 100.0);
  frames.add("B-A0 B-V B-A1 I-A1", "B-A1 B-V B-A1 O");  // wrong: a role, and an end
  CHECK(frames.scores().score() == 50.0);
  frames.add("B-A0 B-V B-C-A0 O", "B-A0 B-V O O");  // a part is missing, so none is correct
  CHECK(frames.count("A0", "expected") == 3);
  CHECK(frames.count("A0", "predicted") == 2);
  CHECK(frames.count("A0", "correct") == 1);
  CHECK(frames.count("C-A0", "expected") == 0);
  frames.add("O B-V O O", "O O O O");  // the predicate does not count
  CHECK(frames.count("V", "expected") == 0);
  frames.add("B-A0 B-R-A0 B-V", "B-A0 O B-V");
  CHECK(frames.count("R-A0", "expected") == 1);
  CHECK(frames.count("A0", "correct") == 2);
}

TEST_CASE("frames of one sentence are scored one after the other") {
  LabelSet labels(arguments_of("O B-V B-A I-A"));
  RoleScores scores(labels);
  // If frames were joined, the A that ends the first and the A of the second would be one span.
  TaskRecord record;
  record.texts = {0};
  record.gold = std::make_shared<FrameGold>(std::vector{0, 2}, std::vector{1, 0, 2, 3, 0, 1});
  FramePrediction prediction;
  prediction.labels = {1, 0, 2, 2, 0, 1};
  scores.add(record, prediction);
  CHECK(scores.score() == 100.0);
  prediction.labels.pop_back();
  CHECK_THROWS_AS(scores.add(record, prediction), std::logic_error);
}

TEST_CASE("labels that are not in the training data are expected and never correct") {
  LabelSet labels(arguments_of("O B-V B-A0"));
  RoleScores scores(labels);
  TaskRecord record;
  record.texts = {0};
  record.gold = std::make_shared<FrameGold>(std::vector{1}, std::vector{labels.add("B-A9"), 1, 2});
  FramePrediction prediction;
  prediction.labels = {2, 1, 2};
  scores.add(record, prediction);
  CHECK(scores.score() == 50.0);
}

TEST_CASE("without arguments, scores are 0") {
  LabelSet labels;
  RoleScores scores(labels);
  TaskRecord record;
  record.texts = {0};
  record.gold =
      std::make_shared<FrameGold>(std::vector<std::int32_t>(), std::vector<std::int32_t>());
  scores.add(record, FramePrediction());
  CHECK(scores.score() == 0.0);
  CHECK(scores.figures().size() == 4);
}

TEST_CASE("arguments are counted as by a second implementation") {
  std::mt19937 engine(5);
  ScoredFrames frames;
  ReferenceCounts reference;
  for (int n = 0; n < 2000; ++n) {
    const std::size_t tokens = 1 + engine() % 8;
    const Words gold = random_frame(engine, tokens);
    const Words guess = engine() % 4 == 0 ? gold : random_frame(engine, tokens);
    frames.add(gold, guess);
    reference.add(gold, guess);
  }
  CHECK(reference.correct > 500);
  const auto figures = frames.scores().figures();
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  CHECK(std::get<double>(figures[0].value) ==
        doctest::Approx(share(reference.correct, reference.predicted)));
  CHECK(std::get<double>(figures[1].value) ==
        doctest::Approx(share(reference.correct, reference.expected)));
  CHECK(std::get<double>(figures[2].value) ==
        doctest::Approx(share(2 * reference.correct, reference.expected + reference.predicted)));
}

}  // namespace
}  // namespace elmo

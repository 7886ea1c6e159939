// A kind of task that is in no table of the program: the similarity of two texts, a real number.
// All of it is in this file.
#include <doctest/doctest.h>
#include <fcntl.h>

#include <algorithm>
#include <cmath>

#include "io/engine/task/evaluation.h"
#include "io/engine/task/prediction.h"
#include "io/files/descriptor.h"
#include "io/tasks/texts.h"
#include "tests/io/engine/task/small_task.h"

using namespace elmo;

namespace {

struct SimilarityGold : TaskGold {
  explicit SimilarityGold(double number) : similarity(number) {}
  bool can_be_learned() const override { return true; }
  std::string text() const override { return number_text(similarity); }
  double similarity;
};

struct SimilarityPrediction : TaskPrediction {
  explicit SimilarityPrediction(double number) : similarity(number) {}
  double similarity;
};

/// weight · (words of the first text that the second has)
class WordOverlap final : public TaskModel {
 public:
  WordOverlap(const TaskOptions&, const WordVocabulary&, const std::vector<std::string>&) {}
  std::vector<Parameter*> parameters() override { return {&weight_}; }
  void initialize(std::uint64_t) override { weight_.values[0] = 0.1F; }
  double train(TaskBatch batch, const PassOptions&, Workers&) override {
    double loss = 0.0;
    for (const TaskExample& example : batch) {
      const double error = similarity(example) - example.gold->as<SimilarityGold>().similarity;
      loss += error * error;
      weight_.gradient[0] += static_cast<float>(2.0 * error * overlap(example));
    }
    return loss;
  }
  std::vector<PredictionPointer> predict(TaskBatch batch, Workers&) override {
    std::vector<PredictionPointer> predictions;
    for (const TaskExample& example : batch) {
      predictions.push_back(std::make_shared<SimilarityPrediction>(similarity(example)));
    }
    return predictions;
  }

 private:
  static double overlap(const TaskExample& example) {
    return static_cast<double>(std::ranges::count_if(
        example.texts[0].words,
        [&](std::int32_t word) { return std::ranges::count(example.texts[1].words, word) > 0; }));
  }
  double similarity(const TaskExample& example) { return weight_.values[0] * overlap(example); }

  Parameter weight_{"weight", {1}};
};

constexpr TaskMetric kPearson{"pearson", "Pearson", "", 3};

/// Pearson's correlation of expected and predicted numbers.
class PearsonScores final : public TaskScores {
 public:
  void add(const TaskRecord& record, const TaskPrediction& prediction) override {
    const double x = record.gold->as<SimilarityGold>().similarity;
    const double y = prediction.as<SimilarityPrediction>().similarity;
    n_ += 1, x_ += x, y_ += y, xx_ += x * x, yy_ += y * y, xy_ += x * y;
  }
  double score() const override {
    const double spread = (n_ * xx_ - x_ * x_) * (n_ * yy_ - y_ * y_);
    return spread > 0.0 ? (n_ * xy_ - x_ * y_) / std::sqrt(spread) : 0.0;
  }
  std::vector<ScoreFigure> figures() const override { return {{"pearson", score()}}; }

 private:
  double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

struct SimilarityWriter final : PredictionWriter {
  std::string text_of(const ExampleGroup&, TaskPredictions predictions) override {
    return formatted("%.2f\n", predictions.front()->as<SimilarityPrediction>().similarity);
  }
};

std::shared_ptr<const TaskGold> gold_of_number(const std::string& label, LabelSet&) {
  if (const auto number = number_of<double>(label))
    return std::make_shared<SimilarityGold>(*number);
  throw InputError("found '" + excerpt(label) + "'; expected a number");
}

LabeledKind similarity_kind() {
  return {.task = {.name = "similarity",
                   .summary = "the similarity of two texts",
                   .shape = {.texts = 2, .segments = true},
                   .defaults = {},
                   .paper = {},
                   .make = make_task_model<WordOverlap>,
                   .metric = [](const std::vector<std::string>&) { return kPearson; },
                   .scores = [](const std::vector<std::string>&,
                                const LabelSet&) -> std::unique_ptr<TaskScores> {
                     return std::make_unique<PearsonScores>();
                   }},
          .format = {"found no pair", "found no similarity",
                     [](OpenedFile& file) { return make_text_reader(file, 2, gold_of_number); }},
          .forms = {{.form = TextForm::columns, .as_labeled = true},
                    {.form = TextForm::jsonl, .as_labeled = true}},
          .writer = [](const WriterOptions&) -> std::unique_ptr<PredictionWriter> {
            return std::make_unique<SimilarityWriter>();
          }};
}

}  // namespace

TEST_CASE("a kind with a real-valued label is one description") {
  const TempDir folder;
  const LabeledKind kind = similarity_kind();
  TaskRequest request = small_task(folder);
  request.kind = &kind;
  write_file(folder / "train.tsv", "0.5\ta\ta b\nx\ta b\tb a c\n1.5\td a b c\ta b c\n");
  write_file(folder / "dev.tsv", "sentence1\tsentence2\tlabel\na b\tb a\t1\na\ta c\t-1\n");
  CHECK_THROWS_AS(train_small_task(request), InputError);  // x is no number
  write_file(folder / "train.tsv", "0.5\ta\ta b\n1\ta b\tb a c\n1.5\td a b c\ta b c\n");
  const std::optional<TaskResult> result = train_small_task(request);
  REQUIRE(result);
  CHECK(std::string(result->metric.name) == "pearson");
  CHECK(result->outcomes[0].best.score == doctest::Approx(1.0));

  RunListener listener;
  TaskEvaluationRequest scoring;
  scoring.folder = request.output;
  scoring.kinds = std::span(&kind, 1);
  scoring.file = (folder / "train.tsv").string();
  CHECK(std::get<double>(evaluate_task(scoring, listener, nullptr).figures[0].value) > 0.99);
  PredictionRequest labeling;
  static_cast<PredictorRequest&>(labeling) = scoring;
  write_file(folder / "text.jsonl", "{\"text1\": \"a b c d\", \"text2\": \"d c b a\"}\n");
  labeling.input.files = {(folder / "text.jsonl").string()};
  {
    const Descriptor file = open_descriptor(folder / "out", O_CREAT | O_TRUNC | O_WRONLY);
    predict_files(labeling, prediction_forms(labeling, kind, listener), listener,
                  Stream(file.get(), "out"));
  }
  CHECK(number_of<double>(content_of(folder / "out").substr(0, 4)).value() > 1.0);
}

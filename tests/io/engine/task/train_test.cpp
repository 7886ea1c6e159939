#include "io/engine/task/train.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "core/error.h"
#include "core/text.h"
#include "io/engine/task/evaluation.h"
#include "io/engine/task/prediction.h"
#include "io/files/descriptor.h"
#include "io/labeled/examples.h"
#include "io/labeled/task_folder.h"
#include "tests/io/engine/task/small_task.h"

using namespace elmo;

namespace {

/// Labels a text of n tokens with label n − 1 once its only weight is 1.
class TokenCounter final : public TaskModel {
 public:
  TokenCounter(const TaskOptions&, const WordVocabulary&, const std::vector<std::string>&) {}

  std::vector<Parameter*> parameters() override { return {&weight_}; }
  void initialize(std::uint64_t) override { weight_.values[0] = 0.0F; }
  double train(TaskBatch, const PassOptions&, Workers&) override {
    const float missing = 1.0F - weight_.values[0];
    weight_.gradient[0] -= 2.0F * missing;
    return double{missing * missing};
  }
  std::vector<TaskPrediction> predict(TaskBatch batch, Workers&) override {
    std::vector<TaskPrediction> predictions;
    for (const TaskExample& example : batch) {
      const auto tokens = static_cast<float>(example.tokens() - 1);
      predictions.push_back({{static_cast<std::int32_t>(tokens * weight_.values[0] + 0.5F)}, {1}});
    }
    return predictions;
  }

 private:
  Parameter weight_{"weight", {1}};
};

/// Reads lines with a label and tokens.
class CountReader final : public RecordReader {
 public:
  explicit CountReader(OpenedFile& file) : RecordReader(file, 1000) {}

 private:
  bool read(ExampleGroup& group) override {
    std::vector<std::string> words;
    for (const std::string_view word : split(line().text(), ' ')) words.emplace_back(word);
    Sentence sentence;
    const std::vector<std::int32_t> labels = numbers_of({words.front()});
    words.erase(words.begin());
    add_listed_tokens(words, sentence);
    group = sentence_group(std::move(sentence), {}, labels);
    return true;
  }
};

/// Writes a line for each text: "3: label".
class CountWriter final : public PredictionWriter {
 public:
  explicit CountWriter(std::vector<std::string> labels) : labels_(std::move(labels)) {}

  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override {
    return std::to_string(group.texts.front().size()) + ": " +
           labels_[static_cast<std::size_t>(predictions.front().labels.front())] + "\n";
  }

 private:
  std::vector<std::string> labels_;
};

/// A kind that is in no table of the program.
LabeledKind count_kind() {
  return {
      .task = {.name = "count",
               .summary = "each text, by the number of its tokens",
               .named_labels = true,
               .defaults = {},
               .paper = {},
               .make = make_task_model<TokenCounter>,
               .metric = [](const std::vector<std::string>&) { return TaskMetric::accuracy; },
               .scores = [](const std::vector<std::string>&,
                            const LabelSet& labels) -> std::unique_ptr<TaskScores> {
                 return std::make_unique<LabelScores>(labels, false, false);
               }},
      .format = {"found no line", "found no label",
                 [](OpenedFile& file) -> std::unique_ptr<ExampleReader> {
                   return std::make_unique<CountReader>(file);
                 }},
      .scored = [](const TaskRecord&) { return std::string("counted"); },
      .forms = {TextForm::tokens},
      .labeled_forms = {},
      .examples_of = [](SentenceSource& sentences) { return examples_of_sentences(sentences, {}); },
      .writer = [](const WriterOptions& options) -> std::unique_ptr<PredictionWriter> {
        return std::make_unique<CountWriter>(options.labels);
      }};
}

}  // namespace

TEST_CASE("a kind of task is one description, sufficient to train, score and predict") {
  const TempDir folder;
  const LabeledKind kind = count_kind();
  TaskRequest request = small_task(folder);
  request.kind = &kind;
  write_file(folder / "train.tsv", "one a\ntwo a b\nthree a b c\n");
  write_file(folder / "dev.tsv", "two c b\nthree c b a\n");
  const std::optional<TaskResult> result = train_small_task(request);
  REQUIRE(result);
  CHECK(result->outcomes[0].best.score == 100.0);
  CHECK(read_task_description(request.output, std::span(&kind, 1)).kind == &kind);
  CHECK_THROWS_WITH_AS(read_task_description(request.output),
                       doctest::Contains("expected one of tag, classify, pair, qa, srl, coref"),
                       InputError);

  RunListener listener;
  TaskEvaluationRequest scoring;
  scoring.folder = request.output;
  scoring.threads = 1;
  scoring.kinds = std::span(&kind, 1);
  scoring.file = (folder / "train.tsv").string();
  const TaskEvaluationResult scores = evaluate_task(scoring, listener, nullptr);
  CHECK(scores.kind == "count");
  CHECK(scores.examples == 3);
  CHECK(scores.confusions.empty());

  PredictionRequest labeling;
  static_cast<PredictorRequest&>(labeling) = scoring;
  write_file(folder / "text", "x y z\nx\n");
  labeling.input.files = {(folder / "text").string()};
  {
    const Descriptor file = open_descriptor(folder / "labels", O_CREAT | O_TRUNC | O_WRONLY);
    predict_files(labeling, prediction_forms(labeling, kind, listener), listener,
                  Stream(file.get(), "labels"));
  }
  CHECK(content_of(folder / "labels") == "3: three\n1: one\n");

  // The checksum of a run's data covers the text of `scored`.
  LabeledKind other = kind;
  other.scored = nullptr;
  const TaskData data = read_task_data(request, std::nullopt, kNeverStop);
  request.kind = &other;
  const TaskData other_data = read_task_data(request, std::nullopt, kNeverStop);
  CHECK(task_provenance(request, data, 0) != task_provenance(request, other_data, 0));
}

TEST_CASE("each seed has its model, and the best one becomes the run's") {
  const TempDir folder;
  TaskRequest request = small_task(folder);
  request.seeds = {1, 2};
  const std::optional<TaskResult> result = train_small_task(request);
  REQUIRE(result);
  CHECK(result->lock != nullptr);
  REQUIRE(result->outcomes.size() == 2);
  CHECK(result->outcomes[0].seed == 1);
  CHECK(result->outcomes[0].best.score == doctest::Approx(100));
  for (const std::uint64_t seed : request.seeds) {
    CHECK(load_task(seed_folder(request.output, seed)).description.labels.size() == 3);
  }
  CHECK(load_task(request.output).description.labels.size() == 3);
}

TEST_CASE("a run is neither replaced nor continued unless requested") {
  const TempDir folder;
  TaskRequest request = small_task(folder);
  request.session.max_steps = 1;
  CHECK(!train_small_task(request));
  CHECK_THROWS_AS(train_small_task(request), RequestError);
  request.resume = true;
  request.session.max_steps = 0;
  const std::optional<TaskResult> resumed = train_small_task(request);
  REQUIRE(resumed);
  const TempDir other;
  const std::optional<TaskResult> whole = train_small_task(small_task(other));
  CHECK(resumed->outcomes[0].best.loss == whole->outcomes[0].best.loss);
}

TEST_CASE("a dry run counts the data and writes nothing") {
  const TempDir folder;
  const TaskRequest request = small_task(folder);
  const DryTaskTraining found = measure_task_training(request);
  CHECK(found.kind == "tag");
  CHECK(found.examples == 40);
  CHECK(found.tokens == 100);
  CHECK(found.labels == 3);
  CHECK(found.words == 4);
  CHECK(found.steps_per_epoch == 3);
  CHECK(found.features_bytes == 0);
  CHECK(!std::filesystem::exists(folder / "run"));
}

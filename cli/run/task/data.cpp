#include "cli/run/task/data.h"

#include <utility>

#include "cli/human.h"
#include "cli/run/features.h"
#include "core/error.h"
#include "core/tasks/kinds.h"
#include "io/files/paths.h"

namespace elmo {
namespace {

/// InputError where a model of the kind cannot have so many labels, saying what they would cost.
void check_label_count(const TaskKindEntry& kind, std::size_t labels, const std::string& file) {
  if (labels <= kind.max_labels) return;
  std::string cost;
  if (kind.weighs_label_pairs) {
    cost = ", for a CRF weighs each label behind each other one: " + human_count(labels * labels) +
           " operations a token";
  }
  throw InputError(file + ": found " + human_count(labels, "label") + "; expected at most " +
                   human_count(kind.max_labels) + cost);
}

void read_data(const TaskTrainFlags& flags, const std::atomic<bool>& stop, TaskData& data) {
  const ExampleShape shape = task_kind(flags.options.kind).shape;
  const auto read = [&](const std::string& file) {
    const ExampleInput input{file, flags.data.column, flags.data.locale, &stop};
    return read_examples(*open_examples(input, shape), shape, data.labels);
  };
  data.train = read(flags.train);
  std::optional<SpanScheme> scheme;
  if (shape.token_labels) {
    prepare_spans(data.train, std::nullopt, data.labels);
    scheme = span_scheme(data.labels.names());
  }
  data.spans = scheme.has_value();
  data.learned = data.labels.names();
  if (data.learned.size() < 2) {
    throw InputError(flags.train + ": found only one label, '" + data.learned.front() +
                     "'; expected at least two to be told apart");
  }
  check_label_count(task_kind(flags.options.kind), data.learned.size(), flags.train);
  data.dev = read(flags.dev);
  if (shape.token_labels) prepare_spans(data.dev, scheme, data.labels);
}

void read_words(const TaskTrainFlags& flags, TaskData& data) {
  if (flags.words.empty()) {
    data.words = std::make_unique<WordVocabulary>(count_words(data.train));
  } else {
    data.vectors = read_word_vectors(flags.words);
    data.words = std::make_unique<WordVocabulary>(std::move(data.vectors->words));
    data.options.word_columns = data.vectors->columns;
  }
  look_up_words(*data.words, data.train);
  look_up_words(*data.words, data.dev);
}

/// False where `stop` became true.
bool open_activations(const TaskTrainFlags& flags, const std::filesystem::path& folder,
                      const std::atomic<bool>& stop, TaskData& data) {
  const std::filesystem::path kept = flags.features.folder.empty()
                                         ? folder / "features"
                                         : std::filesystem::path(flags.features.folder);
  // The run's own are of the data that it had.
  if (flags.overwrite && flags.features.folder.empty()) remove_folder(kept);
  FeatureStore store(flags.features, kept, stop);
  data.bilm = store.fingerprint();
  data.options.bilm.layers = store.options().lstm.n_layers;
  data.options.bilm.projection = store.options().lstm.projection_dim;
  set_mix(flags, data.options);
  ExampleSentences train(data.train);
  data.train_activations = store.open("train", train);
  if (!data.train_activations) return false;
  ExampleSentences dev(data.dev);
  data.dev_activations = store.open("dev", dev);
  return data.dev_activations != nullptr;
}

}  // namespace

void make_corpora(TaskData& data) {
  data.train_corpus =
      std::make_unique<TaskCorpus>(data.train.records, data.train_activations.get());
  data.dev_corpus = std::make_unique<TaskCorpus>(data.dev.records, data.dev_activations.get());
}

std::optional<TaskData> load_task_data(const TaskTrainFlags& flags,
                                       const std::filesystem::path& folder,
                                       const std::atomic<bool>& stop) {
  TaskData data;
  data.options = flags.options;
  read_data(flags, stop, data);
  read_words(flags, data);
  if (flags.options.elmo != ElmoPlace::none && !open_activations(flags, folder, stop, data)) {
    return std::nullopt;
  }
  make_corpora(data);
  return data;
}

}  // namespace elmo

#include "io/engine/task/data.h"

#include <algorithm>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "core/text.h"
#include "io/files/paths.h"
#include "io/model/tokenizer.h"
#include "io/shard/shard_run.h"

namespace elmo {
namespace {

/// Throws RequestError if the model lacks the only layer that `mix` uses.
void check_layer(const MixOptions& mix, std::int64_t layers) {
  if (mix.kind != MixKind::layer || mix.layer <= layers) return;
  throw RequestError(Setting{"mix"} + (" " + std::to_string(mix.layer)) +
                     ": the model has the layers 0 to " + std::to_string(layers));
}

/// Returns the tokenizer of raw text: `ud` for new text if the labeled data are in tokens.
TokenizerRequest tokenizer_of(const TaskRequest& request) {
  if (request.kind->task.shape.segments) return request.tokenizer;
  return {std::string(kTokenizerKinds.word(TokenizerKind::ud)), request.tokenizer.locale};
}

/// Throws InputError, naming the cost, if a model of the kind cannot have so many labels.
void check_label_count(const TaskKind& kind, std::size_t labels, const std::string& file) {
  if (labels <= kind.max_labels) return;
  std::string cost;
  if (kind.weighs_label_pairs) {
    cost = ", because a CRF scores each pair of adjacent labels: " + human_count(labels * labels) +
           " operations a token";
  }
  throw InputError(file + ": found " + human_count(labels, "label") + "; expected at most " +
                   human_count(kind.max_labels) + cost);
}

void read_data(const TaskRequest& request, const std::atomic<bool>& stop, TaskData& data) {
  const TaskKind& kind = request.kind->task;
  const bool token_labels = kind.shape.token_labels;
  const auto read = [&](const std::string& file) {
    const ExampleInput input{.file = file,
                             .column = request.column,
                             .table = request.table,
                             .tokenizer = data.tokenizer,
                             .skip_unanswerable = request.skip_unanswerable,
                             .stop = &stop};
    return TaskSplit{read_examples(*open_examples(input, *request.kind, data.labels)), {}, {}};
  };
  data.train = read(request.train);
  std::optional<SpanScheme> scheme;
  if (token_labels) {
    prepare_spans(data.train, std::nullopt, data.labels);
    scheme = span_scheme(data.labels.names());
  }
  if (std::ranges::all_of(data.train.records, [](const TaskRecord& record) {
        return !record.gold->can_be_learned();
      })) {
    throw InputError(request.train +
                     ": found nothing to be learned; expected labels, answers, frames or clusters");
  }
  data.learned = data.labels.names();
  data.metric = kind.metric(data.learned);
  if (kind.named_labels && data.learned.size() < 2) {
    throw InputError(request.train + ": found only one label, '" + excerpt(data.learned.front()) +
                     "'; expected at least two");
  }
  check_label_count(kind, data.learned.size(), request.train);
  data.dev = read(request.dev);
  const auto check_learned = [&](TaskExamples& examples) {
    if (token_labels) prepare_spans(examples, scheme, data.labels);
    if (kind.named_labels) check_labels(examples, data.labels, data.learned.size());
  };
  check_learned(data.dev);
  if (request.test.empty()) return;
  data.test = read(request.test);
  check_learned(*data.test);
}

void read_words(const TaskRequest& request, TaskData& data) {
  if (request.words.empty()) {
    data.words = std::make_unique<WordVocabulary>(count_words(data.train));
  } else {
    data.vectors = read_word_vectors(request.words);
    data.words = std::make_unique<WordVocabulary>(std::move(data.vectors->words));
    data.options.word_columns = data.vectors->columns;
  }
  for (const auto& [name, split] : data.splits()) look_up_words(*data.words, *split);
}

/// Returns false if `stop` became true.
bool open_activations(const TaskRequest& request, LoadedModel bilm, RunListener& listener,
                      const std::atomic<bool>& stop, TaskData& data) {
  const bool own = request.features.folder.empty();
  std::filesystem::path folder = request.features.folder;
  if (own) folder = std::filesystem::path(request.output) / "features";
  // The activations in the run's own folder belong to its former data.
  if (own && request.overwrite) {
    for (const char* name : {"train", "dev", "test"}) remove_shards(folder / name);
    remove_if_empty(folder);
  }
  data.bilm_name = bilm.name;
  FeatureOptions options = request.features;
  if (data.kind->task.shape.segments) options.normalization = data.tokenizer.normalization;
  FeatureStore store(std::move(bilm), options, folder, listener, stop);
  data.bilm = store.fingerprint();
  data.features_dtype = kDtypes.word(store.dtype());
  data.precision = kPrecisions.word(store.precision());
  data.options.bilm.layers = store.options().lstm.n_layers;
  data.options.bilm.projection = store.options().lstm.projection_dim;
  for (const auto& [name, split] : data.splits()) {
    split->activations = store.open(name, *texts_of(*split), tokens_of(*split));
    if (!split->activations) return false;
  }
  return true;
}

}  // namespace

std::optional<OpenedModel> task_bilm(const TaskRequest& request) {
  if (!request.uses_bilm()) return std::nullopt;
  OpenedModel bilm = open_model(request.features.model, tokenizer_of(request));
  check_layer(request.options.mix, bilm.loaded.options.lstm.n_layers);
  return bilm;
}

std::vector<std::pair<const char*, TaskSplit*>> TaskData::splits() {
  std::vector<std::pair<const char*, TaskSplit*>> splits = {{"train", &train}, {"dev", &dev}};
  if (test) splits.emplace_back("test", &*test);
  return splits;
}

KnownLabels check_labels(const TaskExamples& examples, const LabelSet& labels,
                         std::size_t learned) {
  KnownLabels known;
  for (const TaskRecord& record : examples.records) {
    for (const std::int32_t label : record.gold->as<LabelGold>().labels) {
      known.add(labels[label], static_cast<std::size_t>(label) < learned);
    }
  }
  known.check(examples.name);
  return known;
}

void note_examples(const TaskExamples& examples, RunListener& listener) {
  note_count(listener, examples.counters.invalid_sequences, "invalid UTF-8 sequence",
             "of " + examples.name + " read as U+FFFD");
  note_count(listener, examples.counters.without_gold, "record",
             "of " + examples.name + " without a gold label left out");
  for (const std::string& note : examples.notes) listener.note(examples.name + ": " + note);
}

std::uint64_t tokens_of(const TaskExamples& examples) {
  std::uint64_t tokens = 0;
  for (const CorpusText& text : examples.texts) tokens += text.sentence.size();
  return tokens;
}

void make_corpora(TaskData& data) {
  for (const auto& [name, split] : data.splits()) {
    split->corpus =
        std::make_unique<TaskCorpus>(split->texts, split->records, split->activations.get());
  }
}

TaskData read_task_data(const TaskRequest& request, const std::optional<OpenedModel>& bilm,
                        const std::atomic<bool>& stop) {
  TaskData data;
  data.kind = request.kind;
  data.options = request.options;
  data.options.train_words = request.words.empty() || request.train_words;
  data.tokenizer = bilm ? bilm->tokenizer : choose_tokenizer(tokenizer_of(request));
  read_data(request, stop, data);
  read_words(request, data);
  return data;
}

std::optional<TaskData> load_task_data(const TaskRequest& request, std::optional<OpenedModel> bilm,
                                       RunListener& listener, const std::atomic<bool>& stop) {
  TaskData data = read_task_data(request, bilm, stop);
  for (const auto& [name, split] : data.splits()) note_examples(*split, listener);
  if (bilm && !open_activations(request, std::move(bilm->loaded), listener, stop, data)) {
    return std::nullopt;
  }
  make_corpora(data);
  return data;
}

}  // namespace elmo

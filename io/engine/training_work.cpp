#include "io/engine/training_work.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/engine/run_settings.h"
#include "io/files/paths.h"
#include "io/model/location.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/model/vocabulary.h"
#include "io/model/weights.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/input/input_files.h"
#include "io/train/run_folder.h"

namespace elmo {
namespace {

// The learning rate of a model with its softmax. Compared with Adam's 0.001, the model learns 88 to
// 90 % as much of the new text and forgets 49 to 72 % as much of the old text; see TRAINING.md.
constexpr float kContinuedAdamRate = 3e-4F;

void start_anew(const TrainRequest& request, TrainingStart& start) {
  start.reading.tokenizer = choose_tokenizer(request.input.request);
  start.model = model_options(request.architecture);
  start.name = "random";
  // n_tokens_vocab of an architecture is the maximum number of words.
  if (!start.model.char_cnn && start.limits.max_words == 0) {
    start.limits.max_words = start.model.n_tokens_vocab;
  }
}

void start_trained(const TrainRequest& request, RunListener& listener, TrainingStart& start) {
  OpenedModel opened = open_model({.model = request.model}, request.input.request);
  require_other_folder(request.output, opened.path);
  const ModelLocation& location = opened.location;
  LoadedModel& model = opened.loaded;
  require_trainable(request.model, location);
  start.reading.tokenizer = opened.tokenizer;
  note_tokenizer(listener, model, start.reading);
  start.softmax = read_softmax(location, model.options);
  const bool continued = start.softmax && !request.new_vocabulary;
  if (continued && request.plan.softmax_steps) {
    throw RequestError(Setting{"softmax_steps"} + " makes sense only with a new softmax, and " +
                       request.model + " has one; " + Setting{"new_vocab"} + " asks for a new one");
  }
  if (!model.options.char_cnn && !model.lexicon.words) {
    throw InputError(request.model +
                     ": lacks vocab.txt; expected it beside the weights, for this is a word-level "
                     "model");
  }
  if (continued) start.plan.adam_rate = kContinuedAdamRate;
  start.model = model.options;
  start.parameters = model.parameters.to_parameters();
  start.words = std::move(model.lexicon.words);
  start.new_vocabulary = request.new_vocabulary;
  start.pretrained = true;
  start.name = "model " + model.fingerprint;
}

/// Returns the fingerprint of the corpus file: its tokenizer, format and files.
std::string corpus_fingerprint(const InputOptions& reading, const FileList& files) {
  return to_string(describe_tokenizer(reading)) + "; " + input_format_text(reading) + "; " +
         input_files_text(files);
}

Vocabulary new_vocabulary(const TrainRequest& request, const VocabularyLimits& limits,
                          const EncodedCorpus& corpus) {
  if (request.vocabulary.empty()) return build_vocabulary(corpus, limits);
  return parse_word_list(ModelFile(request.vocabulary).content(kMaxVocabularyBytes),
                         request.vocabulary);
}

/// Returns an untrained softmax over a new vocabulary, for activations of `width` numbers.
SoftmaxLayer new_softmax(Vocabulary vocabulary, const EncodedCorpus& corpus, std::int64_t width,
                         std::uint64_t seed) {
  const std::vector<std::int32_t> targets = target_rows(corpus, vocabulary);
  // Both directions predict each word, but only one predicts each boundary.
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(vocabulary.size()));
  const auto add = [&](std::size_t type, std::uint64_t count) {
    counts[static_cast<std::size_t>(targets[type])] += count;
  };
  add(kBeginSentenceType, corpus.sentence_ends().size());
  add(kEndSentenceType, corpus.sentence_ends().size());
  for (std::size_t i = 0; i < corpus.counts().size(); ++i) {
    add(kFirstType + i, 2 * corpus.counts()[i]);
  }
  return initialize_softmax(std::move(vocabulary), counts, width, seed);
}

}  // namespace

TrainingStart training_start(const TrainRequest& request, RunListener& listener) {
  TrainingStart start;
  start.reading = request.input;
  start.plan = request.plan;
  start.limits = request.limits;
  if (request.model.empty()) {
    start_anew(request, start);
  } else {
    start_trained(request, listener, start);
  }
  return start;
}

InputOptions validation_input(const TrainRequest& request, const InputOptions& reading) {
  InputOptions input = reading;
  input.files = {request.valid};
  return input;
}

void check_validation(const TrainRequest& request, const InputOptions& reading) {
  const std::unique_ptr<TextSource> source =
      open_source(validation_input(request, reading), {request.output});
  for (const InputFile& file : source->files()) {
    if (file.size) continue;
    throw RequestError(Setting{"valid"} + ": found " +
                       (file.path == kStandardInput ? "standard input" : file.path + ", a pipe") +
                       "; expected a file, because it is read many times");
  }
  Sentence sentence;
  while (source->next(sentence)) {
    if (sentence.size() > 0) return;
  }
  throw InputError(request.valid + ": has no token; expected text to validate with");
}

std::optional<EncodedCorpus> encoded_corpus(const TrainRequest& request,
                                            const InputOptions& reading,
                                            const std::filesystem::path& path,
                                            RunListener& listener, const std::atomic<bool>& stop) {
  const std::unique_ptr<TextSource> source = open_source(reading, {request.output, &stop});
  const std::string fingerprint = corpus_fingerprint(reading, source->files());
  // If there is no run, the file may contain another text: the fingerprint has only names and
  // sizes.
  if (request.resume && !training_run_in(path.parent_path()).empty()) {
    if (std::optional<EncodedCorpus> corpus = open_encoded_corpus(path, fingerprint)) {
      if (reading.files.empty() || std::ranges::any_of(reading.files, can_be_read_only_once)) {
        listener.note("the text is that in " + path.string() +
                      "; an input that can be read only once is not read again");
      }
      return corpus;
    }
  }
  const auto progress = [&listener](const EncodingProgress& done) {
    listener.progressed({done.tokens, std::nullopt, "reading"}, 0);
  };
  std::optional<EncodedCorpus> corpus =
      encode_corpus(*source, path, fingerprint, EncodingWatch{progress, &stop});
  listener.progress_ended();
  if (corpus) {
    InputCounters counters = source->counters();
    const std::uint64_t empty = std::exchange(counters.empty_sentences, 0);
    if (empty > 0) listener.note(human_count(empty, "empty sentence") + " left out");
    note_input(listener, counters);
  }
  return corpus;
}

EncodedCorpus corpus_of_rank_0(const TrainRequest& request, const InputOptions& reading,
                               const std::filesystem::path& path) {
  std::optional<EncodedCorpus> corpus = open_encoded_corpus(
      path, corpus_fingerprint(reading, list_input_files(reading.files, nullptr, request.output)));
  if (!corpus) {
    throw SystemError(path.string() +
                      ": not the file that rank 0 has made of the text; expected all ranks to see "
                      "the same files, in a folder that their machines share");
  }
  return std::move(*corpus);
}

Corpus TrainingWork::corpus(const EncodedCorpus& encoded) const {
  return training_view(encoded, targets, rows);
}

TrainingWork make_work(const TrainRequest& request, TrainingStart start,
                       const EncodedCorpus& encoded) {
  const std::uint64_t predictions = encoded.tokens().size() + encoded.sentence_ends().size();
  const bool continued = start.softmax && !start.new_vocabulary;
  const TrainingOptions options =
      planned(request.training, start.plan, predictions, start.pretrained && !continued);
  SoftmaxLayer softmax = continued
                             ? std::move(*start.softmax)
                             : new_softmax(new_vocabulary(request, start.limits, encoded), encoded,
                                           start.model.lstm.projection_dim, request.training.seed);
  if (start.softmax && !continued) copy_common_words(*start.softmax, softmax);
  if (!start.model.char_cnn && !start.words) {
    start.words.emplace(softmax.vocabulary.words());
    start.model.n_tokens_vocab = start.words->size();
  }
  if (!start.parameters) {
    start.parameters.emplace(start.model);
    initialize_parameters(*start.parameters, start.model, options.seed);
  }
  std::vector<std::int32_t> targets = target_rows(encoded, softmax.vocabulary);
  std::vector<std::int32_t> rows;
  if (start.words) rows = target_rows(encoded, *start.words);
  return {std::move(start.model),
          std::move(*start.parameters),
          std::move(start.words),
          std::move(softmax),
          options,
          std::move(targets),
          std::move(rows),
          std::move(start.name),
          std::move(start.reading)};
}

std::vector<std::string> lines_of(const TrainingWork& work, const EncodedCorpus& encoded) {
  const TrainingOptions& options = work.options;
  const SoftmaxLayer& softmax = work.softmax;
  const std::uint64_t tokens = encoded.tokens().size();
  const std::uint64_t unknown = unknown_tokens(encoded, softmax.vocabulary);
  return {human_count(tokens, "token") + " in " +
              human_count(encoded.sentence_ends().size(), "sentence") + ", " +
              human_count(encoded.types().size()) + " of them distinct; vocabulary of " +
              human_count(static_cast<std::uint64_t>(softmax.vocabulary.size()), "word") + ", " +
              human_number(100.0 * static_cast<double>(unknown) / static_cast<double>(tokens), 3) +
              " % of the tokens are <UNK>",
          human_count(options.total_steps, "step") + " of " +
              human_count(static_cast<std::uint64_t>(options.lanes * options.unroll), "token") +
              (options.frozen_steps > 0
                   ? ", the first " + human_count(options.frozen_steps) + " train the softmax alone"
                   : "") +
              "; " + human_count(work.parameters.count()) + " parameters, and " +
              human_count(softmax.weights.size() + softmax.bias.size()) + " of the softmax"};
}

}  // namespace elmo

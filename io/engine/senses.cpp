#include "io/engine/senses.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/inference/activations.h"
#include "core/inference/embed.h"
#include "core/model/bilm.h"
#include "core/text.h"
#include "io/engine/run_layer.h"
#include "io/files/paths.h"
#include "io/labeled/sense_corpus.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// The questions of one file. Their numbers in the search begin with `first`.
struct TestSet {
  std::string file;
  std::size_t first = 0;
  std::vector<SenseQuestion> questions;
};

/// All sentences of a file.
class SenseSentences final : public SentenceSource {
 public:
  SenseSentences(const std::string& file, const std::atomic<bool>& stop) : corpus_(file, &stop) {}

  bool next(Sentence& sentence) override {
    SenseSentence read;
    if (!corpus_.next(read)) return false;
    sentence = std::move(read.sentence);
    return true;
  }

 private:
  SenseCorpus corpus_;
};

std::uint64_t tokens_in(const std::string& file, const std::atomic<bool>& stop) {
  SenseSentences sentences(file, stop);
  std::uint64_t tokens = 0;
  Sentence sentence;
  while (!stop && sentences.next(sentence)) tokens += sentence.size();
  return tokens;
}

[[noreturn]] void refuse_stopped(const std::string& file) {
  throw ReadingStopped(file + ": stopped before its end");
}

/// A source of the vectors of instances.
class SenseVectors {
 public:
  virtual ~SenseVectors() = default;

  /// Passes the vectors of the wanted instances in `file` to `take`. Returns the number of tokens
  /// that were embedded. Throws ReadingStopped.
  virtual std::uint64_t read(const std::string& file, const SenseStream::Wanted& wanted,
                             const SenseStream::Take& take) = 0;
};

/// Computes the vectors of sentences that have wanted instances.
class ComputedVectors final : public SenseVectors {
 public:
  ComputedVectors(LoadedModel model, const FeatureOptions& options, RunListener& listener,
                  const std::atomic<bool>& stop)
      : bilm_(pack(model, options.precision.value_or(Precision::float32))),
        listener_(listener),
        stop_(stop),
        resources_{.threads = options.threads} {}

  std::uint64_t read(const std::string& file, const SenseStream::Wanted& wanted,
                     const SenseStream::Take& take) override {
    SenseCorpus corpus(file, &stop_);
    SenseStream stream([&](SenseSentence& sentence) { return corpus.next(sentence); }, wanted,
                       take);
    const auto show = [&](const EmbedProgress& done) {
      std::optional<double> fraction;
      if (corpus.total_bytes().value_or(0) > 0) {
        fraction = std::min(1.0, static_cast<double>(corpus.bytes_read()) /
                                     static_cast<double>(*corpus.total_bytes()));
      }
      listener_.progressed({static_cast<std::uint64_t>(done.computed_tokens), fraction, file}, 0);
    };
    const EmbedResult result = embed({.model = bilm_,
                                      .source = stream,
                                      .sink = stream,
                                      .resources = resources_,
                                      .stop = stop_,
                                      .listener = show});
    listener_.progress_ended();
    if (!result.completed) refuse_stopped(file);
    return result.progress.tokens;
  }

 private:
  Bilm bilm_;
  RunListener& listener_;
  const std::atomic<bool>& stop_;
  Resources resources_;
};

/// Keeps the vectors of all sentences, in a folder per file with its name.
class KeptVectors final : public SenseVectors {
 public:
  KeptVectors(LoadedModel model, const SensesRequest& request, RunListener& listener,
              const std::atomic<bool>& stop)
      : stop_(stop),
        store_(std::move(model), request.features, request.features.folder, listener, stop) {
    std::map<std::string, std::string> files;  // by name
    for (const std::vector<std::string>* list : {&request.train, &request.test}) {
      for (const std::string& file : *list) {
        if (files.try_emplace(name_of(file), file).first->second == file) continue;
        throw RequestError(file +
                           ": found two files with this name; expected different names, because "
                           "each file gets a folder of its name in " +
                           request.features.folder);
      }
    }
  }

  std::uint64_t read(const std::string& file, const SenseStream::Wanted& wanted,
                     const SenseStream::Take& take) override {
    SenseSentences all(file, stop_);
    const std::unique_ptr<ActivationSource> kept =
        store_.open(name_of(file), all, tokens_in(file, stop_));
    if (!kept) refuse_stopped(file);
    SenseCorpus corpus(file, &stop_);
    std::uint64_t number = 0;  // number of sentences read
    SenseStream stream(
        [&](SenseSentence& sentence) {
          ++number;
          return corpus.next(sentence);
        },
        wanted, take);
    Sentence sentence;
    std::vector<float> values;
    while (stream.next(sentence)) {
      if (stop_) refuse_stopped(file);
      values.resize(sentence.size() * static_cast<std::size_t>(kept->layout().values_per_token()));
      kept->read_activations(kept->tokens_of(number - 1), values);
      stream.write({number - 1, std::span(&sentence, 1), values});
    }
    return kept->token_count();
  }

 private:
  static std::string name_of(const std::string& file) { return fs::path(file).filename().string(); }

  const std::atomic<bool>& stop_;
  FeatureStore store_;
};

class SensesRun {
 public:
  SensesRun(const SensesRequest& request, LoadedModel model, RunListener& listener,
            const std::atomic<bool>& stop)
      : request_(request),
        candidates_(request.candidates.empty() ? SenseCandidates()
                                               : read_sense_candidates(request.candidates)),
        inventory_(candidates_),
        layers_(token_layers(activation_layout(model.options, EmbedOptions{}))),
        search_(layers_, activation_layout(model.options, EmbedOptions{}).values_per_token()) {
    if (!request.predict.empty()) predicted_layers();
    if (request.features.folder.empty()) {
      vectors_ =
          std::make_unique<ComputedVectors>(std::move(model), request.features, listener, stop);
    } else {
      vectors_ = std::make_unique<KeptVectors>(std::move(model), request, listener, stop);
    }
  }

  SensesResult run() {
    for (const std::string& file : request_.test) ask(file);
    for (const std::string& file : request_.train) learn(file);
    search_.finish();
    if (result_.examples == 0) {
      throw InputError(request_.train.front() +
                       ": has no instance of the words to be tested; expected senses of them to "
                       "learn from");
    }
    for (const TestSet& set : sets_) {
      result_.sets.push_back(
          {set.file, score_senses(search_, inventory_, set.questions, set.first, request_.prior)});
    }
    result_.words = inventory_.size();
    if (!request_.predict.empty()) predict();
    return std::move(result_);
  }

 private:
  void ask(const std::string& file) {
    TestSet set{file, search_.questions(), {}};
    const auto take = [&](const SenseInstance& at, std::span<const float> vector) {
      search_.add_question(inventory_.add({at.lemma, at.part_of_speech}), vector);
      set.questions.push_back({at.id, at.keys});
    };
    result_.tokens += vectors_->read(
        file, [](const SenseInstance&) { return true; }, take);
    if (set.questions.empty()) {
      throw InputError(file + ": has no instance; expected words with senses to be found");
    }
    sets_.push_back(std::move(set));
  }

  void learn(const std::string& file) {
    const auto wanted = [&](const SenseInstance& at) {
      if (at.is_name) ++result_.names;
      return !at.is_name && inventory_.find({at.lemma, at.part_of_speech}).has_value();
    };
    const auto take = [&](const SenseInstance& at, std::span<const float> vector) {
      const std::size_t word = *inventory_.find({at.lemma, at.part_of_speech});
      const std::vector<std::size_t> senses = inventory_.count(word, at.keys);
      if (senses.empty()) return;
      search_.add_example(word, senses, vector);
      ++result_.examples;
    };
    result_.tokens += vectors_->read(file, wanted, take);
  }

  /// Returns the layers that predict. RequestError if the requested layer does not exist.
  std::vector<std::size_t> predicted_layers() const {
    const std::size_t top = layers_.size() - 1;
    if (request_.layer.empty()) return {top};
    if (request_.layer == kAllLayers) {
      std::vector<std::size_t> all(layers_.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      return all;
    }
    if (const auto found = find_layer(layers_, request_.layer)) return {*found};
    throw RequestError(Setting{"layer"} + ": found '" + excerpt(request_.layer) +
                       "'; expected x or a number from 1 to " + std::to_string(top) +
                       ", the layers of the model, or all");
  }

  void predict() {
    const std::vector<std::size_t> chosen = predicted_layers();
    for (const std::size_t layer : chosen) result_.layers.push_back(layers_[layer].name);
    for (const TestSet& set : sets_) {
      for (std::size_t q = 0; q < set.questions.size(); ++q) {
        const SenseWord& word = inventory_.word(search_.word_of(set.first + q));
        SenseAnswer& answer = result_.answers.emplace_back();
        answer.id = set.questions[q].id;
        for (const std::size_t layer : chosen) {
          const std::optional<std::size_t> sense =
              search_.answer(set.first + q, layer, request_.by, request_.prior, word);
          answer.keys.push_back(sense ? std::optional(word.keys[*sense]) : std::nullopt);
        }
      }
    }
  }

  const SensesRequest& request_;
  SenseCandidates candidates_;
  SenseInventory inventory_;
  std::vector<TokenLayer> layers_;
  SenseSearch search_;
  std::unique_ptr<SenseVectors> vectors_;
  std::vector<TestSet> sets_;
  SensesResult result_;
};

}  // namespace

void validate(const SensesRequest& request) {
  std::vector<std::string> files = request.train;
  files.insert(files.end(), request.test.begin(), request.test.end());
  if (std::ranges::count(files, kStandardInput) > 1) {
    throw RequestError("standard input (-) is named twice; it can be read only once");
  }
  for (const std::string& file : files) {
    if (request.features.folder.empty() || !can_be_read_only_once(file)) continue;
    throw RequestError(file + ": can be read only once, but with " + Setting{"features"} +
                       " its sentences are read several times; give a file");
  }
  require_outside_runs(Setting{"predict"}, request.predict, request.features.folder);
  require_other_file(Setting{"predict"}, request.predict, request.train);
  require_other_file(Setting{"predict"}, request.predict, request.test);
  require_other_file(Setting{"predict"}, request.predict, {request.candidates});
}

std::optional<SensesResult> run_senses(const SensesRequest& request, RunListener& listener,
                                       const std::atomic<bool>& stop) {
  try {
    OpenedModel opened = open_model(request.features.model);
    require_other_file(Setting{"predict"}, request.predict, files_of(opened.location));
    return SensesRun(request, std::move(opened.loaded), listener, stop).run();
  } catch (const ReadingStopped&) {
    listener.progress_ended();
    return std::nullopt;
  }
}

}  // namespace elmo

// `elmo senses`: word senses by the nearest neighbour, layer by layer.
#include "cli/report/senses.h"

#include <CLI/App.hpp>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/flags/computing.h"
#include "cli/flags/model.h"
#include "cli/flags/options.h"
#include "cli/flags/output.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/progress.h"
#include "cli/report/report.h"
#include "core/analysis/senses/sense_scores.h"
#include "core/analysis/senses/sense_stream.h"
#include "core/error.h"
#include "core/inference/embed.h"
#include "io/files/atomic_file.h"
#include "io/labelled/senses/sense_candidates.h"
#include "io/labelled/senses/sense_corpus.h"
#include "io/model/model.h"

namespace elmo {
namespace {

struct SensesFlags {
  ModelFlags model;
  std::vector<std::string> train;
  std::vector<std::string> test;
  std::string candidates;
  std::string predict;
  std::string layer;  ///< of the predictions; empty: the top layer
  SenseNeighbour by = SenseNeighbour::exemplar;
  float prior = 0;
  EmbedOptions embed;
  Precision precision = Precision::float32;
  bool json = false;
  bool quiet = false;
};

/// The questions of one file, which the search numbers from `first` on.
struct TestSet {
  std::string file;
  std::size_t first = 0;
  std::vector<SenseQuestion> questions;
};

class SensesRun {
 public:
  explicit SensesRun(const SensesFlags& flags);

  void run();

 private:
  void embed_file(const std::string& file, const SenseStream::Wanted& wanted,
                  const SenseStream::Take& take);
  void ask(const std::string& file);
  void learn(const std::string& file);
  std::size_t predicting_layer() const;
  std::string predictions() const;

  const SensesFlags& flags_;
  Report report_;
  Progress progress_;
  SenseCandidates candidates_;
  SenseInventory inventory_;
  std::optional<Bilm> model_;
  std::optional<SenseSearch> search_;
  std::vector<TestSet> sets_;
  std::uint64_t examples_ = 0;
  std::uint64_t names_ = 0;
  std::uint64_t tokens_ = 0;
};

SensesRun::SensesRun(const SensesFlags& flags)
    : flags_(flags),
      report_(flags.quiet),
      progress_(flags.quiet),
      candidates_(flags.candidates.empty() ? SenseCandidates()
                                           : read_sense_candidates(flags.candidates)),
      inventory_(candidates_) {
  LoadedModel loaded = load_model(flags.model);
  model_.emplace(loaded.options, std::move(loaded.parameters), flags.precision,
                 std::move(loaded.lexicon));
  const ActivationLayout layout = activation_layout(model_->options(), flags.embed);
  search_.emplace(token_layers(layout), layout.values_per_token());
  predicting_layer();
}

/// The layer that predictions are made with. RequestError where there is none of that name.
std::size_t SensesRun::predicting_layer() const {
  const std::vector<TokenLayer>& layers = search_->layers();
  if (flags_.layer.empty()) return layers.size() - 1;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    if (layers[layer].name == flags_.layer) return layer;
  }
  throw RequestError("--layer: found '" + flags_.layer + "', expected x or a number from 1 to " +
                     std::to_string(layers.size() - 1) + ", the layers of the model");
}

/// Hands the vectors of the file's instances that are wanted to `take`.
void SensesRun::embed_file(const std::string& file, const SenseStream::Wanted& wanted,
                           const SenseStream::Take& take) {
  SenseCorpus corpus(file);
  SenseStream stream([&](SenseSentence& sentence) { return corpus.next(sentence); }, wanted, take);
  const auto listener = [&](const EmbedProgress& done) {
    std::optional<double> fraction;
    if (corpus.total_bytes().value_or(0) > 0) {
      fraction = std::min(1.0, static_cast<double>(corpus.bytes_read()) /
                                   static_cast<double>(*corpus.total_bytes()));
    }
    progress_.show({tokens_ + static_cast<std::uint64_t>(done.computed_tokens), fraction, file});
  };
  tokens_ += embed(*model_, stream, stream, flags_.embed, kNeverStop, listener).progress.tokens;
}

void SensesRun::ask(const std::string& file) {
  TestSet set{file, search_->questions(), {}};
  const auto take = [&](const SenseInstance& at, std::span<const float> vector) {
    search_->add_question(inventory_.ask({at.lemma, at.part_of_speech}), vector);
    set.questions.push_back({at.id, at.keys});
  };
  embed_file(
      file, [](const SenseInstance&) { return true; }, take);
  if (set.questions.empty()) {
    throw InputError(file + ": has no instance; expected words with senses to be found");
  }
  sets_.push_back(std::move(set));
}

void SensesRun::learn(const std::string& file) {
  const auto wanted = [&](const SenseInstance& at) {
    if (at.is_name) ++names_;
    return !at.is_name && inventory_.find({at.lemma, at.part_of_speech}).has_value();
  };
  const auto take = [&](const SenseInstance& at, std::span<const float> vector) {
    const std::size_t word = *inventory_.find({at.lemma, at.part_of_speech});
    const std::vector<std::size_t> senses = inventory_.count(word, at.keys);
    if (senses.empty()) return;
    search_->add_example(word, senses, vector);
    ++examples_;
  };
  embed_file(file, wanted, take);
}

/// A line for each question that has an answer: instance and key.
std::string SensesRun::predictions() const {
  std::string text;
  const std::size_t layer = predicting_layer();
  for (const TestSet& set : sets_) {
    for (std::size_t q = 0; q < set.questions.size(); ++q) {
      const SenseWord& word = inventory_.word(search_->word_of(set.first + q));
      const std::optional<std::size_t> answer =
          search_->answer(set.first + q, layer, flags_.by, flags_.prior, word);
      if (answer) text += set.questions[q].id + ' ' + word.keys[*answer] + '\n';
    }
  }
  return text;
}

void SensesRun::run() {
  for (const std::string& file : flags_.test) ask(file);
  for (const std::string& file : flags_.train) learn(file);
  search_->finish();
  progress_.clear();
  if (examples_ == 0) {
    throw InputError(flags_.train.front() +
                     ": has no instance of the words to be tested; expected senses of them to "
                     "learn from");
  }
  std::vector<SenseSet> scored;
  for (const TestSet& set : sets_) {
    scored.push_back(
        {set.file, score_senses(*search_, inventory_, set.questions, set.first, flags_.prior)});
  }
  BufferedOutput output;
  output.write(flags_.json ? senses_json(scored) : senses_text(scored));
  output.flush();
  if (!flags_.predict.empty()) replace_file(flags_.predict, predictions());
  report_.line(human_count(examples_, "instance") + " of " +
               human_count(inventory_.size(), "word") + " learned from, " +
               human_count(names_, "name") + " left out, " + human_count(tokens_, "token") +
               " embedded");
}

}  // namespace

void add_senses(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<SensesFlags>();
  CLI::App* command =
      app.add_subcommand("senses", "Tell word senses by the nearest labelled occurrence");
  command
      ->add_option(
          "--train", flags->train,
          "Labelled sentences to learn from: a JSON object a line (tokens, lemmas, pos, "
          "senses; see below), one file or several. gzip, zstd, xz and bzip2 are decompressed")
      ->type_name("FILE")
      ->required();
  command
      ->add_option(
          "--test", flags->test,
          "Labelled sentences whose senses are told and compared, in the same form, one file or "
          "several")
      ->type_name("FILE")
      ->required();
  command
      ->add_option(
          "--candidates", flags->candidates,
          "Senses that words may have, the first one taken where training has none: lines "
          "of lemma, part of speech and keys, with tabs between the three and spaces between keys")
      ->type_name("FILE")
      ->default_str("the senses in training");
  add_model_flags(command, flags->model);
  command
      ->add_option("--predict", flags->predict,
                   "File to write, replacing what is there: a line an instance, its id and a key")
      ->type_name("FILE");
  command
      ->add_option("--layer", flags->layer,
                   "Layer that --predict takes: `x` (no context), 1, ..., L")
      ->type_name("LAYER")
      ->default_str("L");
  add_choice(
      command, "--by", flags->by, kSenseNeighbours,
      "What --predict holds an instance against: the mean of a sense's occurrences, or each of "
      "them");
  add_number(command, "--prior", flags->prior, "BETA", NumberRange{},
             "Add this times the logarithm of a sense's count in training to its cosine");
  command->add_flag("--json", flags->json, "Print JSON, with numbers in full");
  add_precision(command, flags->precision, "Numbers that the biLM multiplies");
  add_threads(command, flags->embed.threads);
  command->add_flag("--quiet", flags->quiet, "Show errors and the result only");
  command->footer(
      "A labelled sentence is `{\"id\": \"s1\", \"tokens\": [...], \"lemmas\": [...], \"pos\": "
      "[...], \"senses\": {\"3\": [\"bank%1:17:01::\"]}}`, where 3 is the first token of an "
      "instance, "
      "counted from 0, and any of its keys is right. `spans` {\"3\": 5} says where it ends (past "
      "its last token), `ne` marks names, which training leaves out, `ids` names instances. Tokens "
      "of two backquotes or two apostrophes are read as a quotation mark.\n"
      "An instance has the mean of its tokens' vectors. Candidates are chosen by lemma and part of "
      "speech; the one with the largest cosine is taken, of several that are level the first "
      "one. Scores are F1 in percent: of the first candidate, of the most "
      "frequent sense in training, and of each layer with the averages of senses and with single "
      "exemplars.");
  command->callback([command, flags, &chosen] {
    const bool predict = !flags->predict.empty();
    only_with(*command, "--layer", predict, "--predict FILE");
    only_with(*command, "--by", predict, "--predict FILE");
    const ModelFlags& model = flags->model;
    require_other_file("--predict", flags->predict, flags->train);
    require_other_file("--predict", flags->predict, flags->test);
    require_other_file(
        "--predict", flags->predict,
        {flags->candidates, model.model, model.options, model.weights, model.vocabulary});
    chosen = [flags] {
      SensesRun(*flags).run();
      return kDone;
    };
  });
}

}  // namespace elmo

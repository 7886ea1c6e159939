// `elmo senses`: word senses by the nearest neighbor, for each layer.
#include "cli/common/options.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/common/features_options.h"
#include "cli/common/human.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/senses/report.h"
#include "cli/senses/run.h"
#include "io/files/atomic_file.h"
#include "io/model/model.h"

namespace elmo {
namespace {

constexpr const char* kAllLayers = "all";

struct SensesFlags {
  std::vector<std::string> train;
  std::vector<std::string> test;
  std::string candidates;
  std::string predict;
  std::string layer;  ///< of the predictions; empty: the top layer
  SenseNeighbor by = SenseNeighbor::exemplar;
  float prior = 0;
  FeatureFlags features;
  bool json = false;
};

SensesRequest senses_request(const SensesFlags& flags, const ModelOptions& model) {
  const FeatureFlags& features = flags.features;
  SensesRequest request;
  request.train = flags.train;
  request.test = flags.test;
  if (!flags.candidates.empty()) request.candidates = flags.candidates;
  request.prior = flags.prior;
  request.features = {features.precision, features.dtype, features.threads};
  if (!features.folder.empty()) request.folder = features.folder;
  if (!flags.predict.empty()) {
    SensePrediction& predict = request.predict.emplace();
    predict.by = flags.by;
    if (flags.layer != kAllLayers) {
      predict.layer = flags.layer.empty() ? std::to_string(model.lstm.n_layers) : flags.layer;
    }
  }
  return request;
}

ExitCode run_senses(const SensesFlags& flags) {
  const ModelLocation location = locate_model(flags.features.model);
  require_other_file("--predict", flags.predict, files_of(location));
  // Before anything is computed, because writing may fail.
  std::optional<AtomicFile> answers;
  if (!flags.predict.empty()) answers.emplace(flags.predict);
  LoadedModel model = load_model(flags.features.model);
  const SensesRequest request = senses_request(flags, model.options);
  RunReport report(flags.features.quiet);
  const SensesResult result = run_senses(request, std::move(model), report);
  standard_output().write(flags.json ? senses_json(result.sets) : senses_text(result.sets));
  if (answers) {
    answers->append(answers_text(result));
    answers->publish();
  }
  report.note(human_count(result.examples, "instance") + " of " +
              human_count(result.words, "word") + " learned from, " +
              human_count(result.names, "name") + " left out, " +
              human_count(result.tokens, "token") + " embedded");
  return kDone;
}

}  // namespace

void add_senses(Options& app, Command& chosen) {
  const auto flags = std::make_shared<SensesFlags>();
  Options command =
      app.add_subcommand("senses", "Disambiguate word senses by nearest labeled occurrence");
  command
      ->add_option(
          "--train", flags->train,
          "Labeled training sentences: JSON lines with tokens, lemmas, pos and senses (see below)")
      ->type_name("FILE")
      ->required();
  command->add_option("--test", flags->test, "Labeled test sentences in the same format")
      ->type_name("FILE")
      ->required();
  command
      ->add_option(
          "--candidates", flags->candidates,
          "Candidate senses: lines of lemma TAB part of speech TAB keys; the first is the fallback")
      ->type_name("FILE")
      ->default_str("the senses in training");
  command
      ->add_option(
          "--predict", flags->predict,
          "File of predictions to write or replace: one line per instance, with id and key")
      ->type_name("FILE");
  command->add_option("--layer", flags->layer, "Layer of --predict: `x` (no context), 1, ..., L")
      ->type_name("LAYER")
      ->default_str("L");
  add_choice(command, "--by", flags->by, kSenseNeighbors,
             "Comparison of --predict: with the mean of a sense's occurrences, or each of them");
  add_number(command, "--prior", flags->prior, "BETA", NumberRange{},
             "Weight of the log training count of a sense, added to its cosine");
  command->add_flag("--json", flags->json, "Print JSON with exact numbers");
  add_feature_flags(command, flags->features, "computed anew, where they matter, and not kept");
  command->footer(
      "A labeled sentence is `{\"id\": \"s1\", \"tokens\": [...], \"lemmas\": [...], \"pos\": "
      "[...], \"senses\": {\"3\": [\"bank%1:17:01::\"]}}`: 3 is the first token of an instance, "
      "counted from 0, and any of its keys is correct. `spans` {\"3\": 5} gives the token after "
      "its "
      "last, `ne` marks names, which training skips, and `ids` names instances. Tokens of two "
      "backquotes or two apostrophes are read as a quotation mark.\nAn instance is the mean of its "
      "tokens' vectors. Candidates share lemma and part of speech. The largest cosine wins, the "
      "first one in a tie. Scores are F1 in percent: of the first candidate, of the most frequent "
      "sense in training, and for each layer of sense averages and single exemplars.");
  command->callback([command, flags, &chosen] {
    const bool predict = !flags->predict.empty();
    only_with(*command, "--layer", predict, "--predict FILE");
    only_with(*command, "--by", predict, "--predict FILE");
    only_with(*command, "--features-dtype", !flags->features.folder.empty(), "--features DIR");
    require_other_file("--predict", flags->predict, flags->train);
    require_other_file("--predict", flags->predict, flags->test);
    require_other_file("--predict", flags->predict, {flags->candidates});
    chosen = [flags] { return run_senses(*flags); };
  });
}

}  // namespace elmo

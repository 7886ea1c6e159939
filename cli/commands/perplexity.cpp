// `elmo perplexity`: how well a model predicts a text.
#include "core/evaluate/perplexity.h"

#include <CLI/App.hpp>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/flags/computing.h"
#include "cli/flags/input.h"
#include "cli/flags/options.h"
#include "cli/numbers/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/perplexity.h"
#include "cli/report/run_report.h"
#include "cli/run/embed_input.h"
#include "cli/run/input_notes.h"
#include "cli/run/model_request.h"
#include "core/error.h"
#include "io/model/installed.h"
#include "io/model/model.h"
#include "io/model/softmax.h"

namespace elmo {
namespace {

// Past any machine.
constexpr int kMaxCarriedLanes = 65536;

struct PerplexityFlags {
  InputOptions input;
  ModelRequest model;
  PerplexityOptions options;
  Precision precision = Precision::float32;
  bool json = false;
  bool per_token = false;
  bool quiet = false;
};

SoftmaxLayer load_softmax(const PerplexityFlags& flags, const ModelLocation& location,
                          const ModelOptions& options) {
  std::optional<SoftmaxLayer> softmax = read_softmax(location, options);
  if (!softmax) {
    const std::string model = flags.model.model.empty() ? kDefaultModel : flags.model.model;
    if (location.many_langs) {
      throw InputError(model +
                       ": models of ELMoForManyLangs come without the softmax that they were "
                       "trained with; expected softmax.hdf5 and vocabulary.txt, as 'elmo train' "
                       "leaves them");
    }
    throw InputError(model +
                     ": a model without its softmax, as published ones are; expected softmax.hdf5 "
                     "and vocabulary.txt beside its weights\n'elmo finetune --model " +
                     model + "' trains one");
  }
  return std::move(*softmax);
}

void sum_up(RunListener& report, const EmbedInput& input, const PerplexityResult& result,
            std::chrono::duration<double> time) {
  note_count(report, result.truncated, "token", "longer than the model takes, cut");
  note_count(
      report, input.cut_sentences(), "sentence",
      "of more than " + human_count(kDefaultMaxSentenceTokens, "token") + ", cut into pieces");
  note_input(report, input.counters());
  report.note(human_time(time) + ", " +
              human_rate(static_cast<double>(result.tokens), time, "tokens"));
}

ExitCode run_perplexity(const PerplexityFlags& flags) {
  RunReport report(flags.quiet);
  EmbedInput input(flags.input, kDefaultMaxSentenceTokens, kNeverStop);
  const ModelLocation location = locate_model(flags.model);
  LoadedModel loaded = load_model(location);
  const SoftmaxLayer softmax = load_softmax(flags, location, loaded.options);
  note_tokenizer(report, loaded, flags.input);
  const Bilm model(loaded.options, std::move(loaded.parameters), flags.precision,
                   std::move(loaded.lexicon));

  BufferedOutput output;
  const auto tell = [&](const EmbedProgress& done) {
    output.flush();
    report.progressed({static_cast<std::uint64_t>(done.computed_tokens),
                       input.fraction(done.computed_tokens), ""},
                      0);
  };
  PredictionListener listener;
  if (flags.per_token) {
    listener = [&](const SentencePrediction& prediction) {
      output.write(prediction_json(prediction, softmax.vocabulary.unknown()));
    };
  }
  report.progressed({}, 0);
  const auto start = std::chrono::steady_clock::now();
  const PerplexityResult result =
      perplexity(model, softmax, input, flags.options, kNeverStop, tell, listener);
  const auto time = std::chrono::steady_clock::now() - start;
  report.progress_ended();
  output.flush();
  if (result.predictions() == 0) {
    throw InputError("the input has no token; nothing to predict");
  }

  if (flags.json) output.write(perplexity_json(result, softmax));
  for (const std::string& line : perplexity_lines(result, softmax)) {
    if (flags.per_token) {
      report.note(line);
    } else if (!flags.json) {
      output.write(line + '\n');
    }
  }
  output.flush();
  sum_up(report, input, result, time);
  return kDone;
}

}  // namespace

void add_perplexity(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<PerplexityFlags>();
  CLI::App* command = app.add_subcommand("perplexity", "Measure how well a model predicts text");
  command
      ->add_option("--model", flags->model.model,
                   "Model with softmax, as written by train: a folder, a zip archive or an "
                   "installed model")
      ->type_name("PATH")
      ->default_str(kDefaultModel)
      ->group("Model");
  add_input_flags(command, flags->input);
  CLI::Option* json = command->add_flag("--json", flags->json, "Print JSON with exact numbers");
  command
      ->add_flag(
          "--per-token", flags->per_token,
          "Print a JSON object per sentence, with log probabilities of each token; perplexities go "
          "to standard error")
      ->excludes(json);
  add_choice(command, "--initial-state", flags->options.initial_state, kInitialStates,
             "Initial state of a sentence: `zero`; `warm`, after a fixed text; `carry`, the final "
             "state of "
             "the sentence N lanes earlier");
  add_whole(command, "--lanes", flags->options.lanes, "N", 1, kMaxCarriedLanes,
            "Number of parallel state lanes (--initial-state carry)");
  add_precision(command, flags->precision,
                "Precision of the biLM's products; the softmax uses float32");
  add_threads(command, flags->options.threads);
  command->add_flag("--quiet", flags->quiet, "Print only errors and the result");
  command->footer(
      "The full softmax over the vocabulary predicts every token and sentence end in each "
      "direction. Forward, the activations at `<S>`, w1, ..., wn predict w1, ..., wn, `</S>`; "
      "backward, those at `</S>`, wn, ..., w1 predict wn, ..., w1, `<S>`. The average is the "
      "perplexity at the mean loss of both directions, their geometric mean. A word outside the "
      "vocabulary is predicted as `<UNK>`, though its characters are read; perplexities without "
      "these predictions are printed too. Sentences without tokens are skipped.\n\nWith "
      "--per-token, an object has document, sentence, line, tokens (with `<S>` and `</S>`), "
      "unknown "
      "(positions of tokens predicted as `<UNK>`), and forward and backward (natural log "
      "probabilities; null at the boundary where a direction starts).");
  command->callback([command, flags, &chosen] {
    check_input_flags(*command, flags->input);
    only_with(*command, "--lanes", flags->options.initial_state == InitialState::carry,
              "--initial-state carry");
    chosen = [flags] { return run_perplexity(*flags); };
  });
}

}  // namespace elmo

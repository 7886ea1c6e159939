#include "io/engine/task/request.h"

#include <utility>

#include "core/error.h"
#include "io/model/tokenizer.h"

namespace elmo {
namespace {

bool uses_bilm(const TaskRequest& request) { return request.options.elmo != ElmoPlace::none; }

/// Throws RequestError if the model lacks the only layer that `mix` uses.
void check_layer(const MixOptions& mix, std::int64_t layers) {
  if (mix.kind != MixKind::layer || mix.layer <= layers) return;
  throw RequestError("--mix " + std::to_string(mix.layer) + ": the model has the layers 0 to " +
                     std::to_string(layers));
}

/// The tokenizer of raw text: `ud` for new text where the labeled data are in tokens.
TokenizerSettings tokenizer_of(const TaskRequest& request) {
  TokenizerRequest tokenizer = request.tokenizer;
  if (!task_kind(request.options.kind).shape.segments) {
    tokenizer.tokenizer = kTokenizerKinds.word(TokenizerKind::ud);
  }
  if (!uses_bilm(request)) return choose_tokenizer(tokenizer);
  return choose_tokenizer(tokenizer, locate_model(request.features.model));
}

}  // namespace

std::vector<std::uint64_t> TaskRequest::all_seeds() const {
  return seeds.empty() ? std::vector{plan.seed} : seeds;
}

void check_kind(const TaskRequest& request) {
  const auto rule = [&request](const char* option,
                               const std::function<bool(const TaskKindEntry&)>& holds) {
    return OptionRule{option, holds(task_kind(request.options.kind)),
                      "--kind " + names_of_kinds(holds)};
  };
  const auto has_one_label = [](const TaskKindEntry& kind) {
    return kind.named_labels && !kind.shape.token_labels && !kind.shape.records;
  };
  const auto labels_tokens = [](const TaskKindEntry& kind) { return kind.shape.token_labels; };
  const auto asks = [](const TaskKindEntry& kind) { return kind.kind == TaskKind::qa; };
  const auto segments = [](const TaskKindEntry& kind) { return kind.shape.segments; };
  check_rules(request.given, {rule("--label-weights", has_one_label),
                              rule("--column", labels_tokens), rule("--skip-unanswerable", asks),
                              rule("--tokenizer", segments), rule("--locale", segments)});
}

void validate(const TaskRequest& request) {
  std::vector<OptionRule> rules;
  for (const char* option : {"--mix", "--elmo-dropout", "--layer-norm", "--lambda", "--features",
                             "--features-dtype", "--precision"}) {
    rules.push_back({option, uses_bilm(request), "--elmo input, output or both"});
  }
  rules.push_back({"--lambda", request.options.mix.kind == MixKind::all, "--mix all"});
  check_rules(request.given, rules);
  if (!request.dry_run && request.output.empty()) throw RequestError("--output is required");
  if (request.dry_run && (request.resume || request.overwrite)) {
    throw RequestError("--dry-run writes nothing, so there is nothing to resume or overwrite");
  }
  check_kind(request);
}

std::optional<LoadedModel> task_bilm(TaskRequest& request) {
  std::optional<LoadedModel> bilm;
  if (uses_bilm(request)) {
    bilm = open_model(request.features.model).loaded;
    check_layer(request.options.mix, bilm->options.lstm.n_layers);
  }
  request.text_tokenizer = tokenizer_of(request);
  request.options.train_words = request.words.empty() || request.train_words;
  return bilm;
}

std::string names_of_kinds(const std::function<bool(const TaskKindEntry&)>& holds) {
  std::string names;
  for (const TaskKindEntry& kind : task_kinds()) {
    if (holds(kind)) names.append(names.empty() ? "" : ", ").append(kind.name);
  }
  return names;
}

}  // namespace elmo

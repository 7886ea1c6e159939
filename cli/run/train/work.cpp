#include "cli/run/train/work.h"

#include <utility>

#include "cli/numbers/human.h"
#include "cli/run/train/text.h"
#include "core/model/initialize.h"
#include "core/train/bilm/plan.h"
#include "io/train/corpus_vocabulary.h"

namespace elmo {

Corpus TrainingWork::corpus(const EncodedCorpus& encoded) const {
  return training_view(encoded, targets, rows);
}

TrainingWork make_work(const TrainingRequest& request, TrainingStart start,
                       const EncodedCorpus& encoded) {
  const std::uint64_t predictions = encoded.tokens().size() + encoded.sentence_ends().size();
  const bool continued = start.softmax && !start.new_vocabulary;
  const TrainingOptions options =
      planned(request.training, request.plan, predictions, start.pretrained && !continued);
  SoftmaxLayer softmax = continued ? std::move(*start.softmax)
                                   : new_softmax(request, encoded, start.model.lstm.projection_dim);
  if (start.softmax && !continued) copy_common_words(*start.softmax, softmax);
  if (!start.model.char_cnn && !start.words) {
    start.words.emplace(softmax.vocabulary.words());
    start.model.n_tokens_vocab = start.words->size();
  }
  if (!start.parameters) {
    start.parameters.emplace(start.model);
    initialize(*start.parameters, start.model, options.seed);
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
          std::move(rows)};
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

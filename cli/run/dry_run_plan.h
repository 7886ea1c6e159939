// What a dry run measures beside the run that was asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/commands/embed.h"
#include "cli/report/plan.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"

namespace elmo {

/// Tokens that a model computes in a second, by the sentences of a sample, or those of them that it
/// computes in about `seconds`. Errors as embed().
double sample_rate(const Bilm& model, const std::vector<Sentence>& sample,
                   const EmbedOptions& options, double seconds);

/// Fills in the sizes and the speeds of a plan whose counts are there: `model` is what was asked
/// for and computes `rate` tokens a second, `computed_tokens` have to be computed, and `text_bytes`
/// are those of the rows' tokens. Other precisions are timed for a few seconds, by the same model
/// loaded anew. Errors as load_model, embed() and measure_sizes.
void measure_plan(const EmbedFlags& flags, const Bilm& model, double rate,
                  const std::vector<Sentence>& sample, std::uint64_t computed_tokens,
                  std::uint64_t text_bytes, RunPlan& plan);

}  // namespace elmo

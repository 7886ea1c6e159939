// Whether a text is read as the one a model was trained on.
#pragma once

#include "cli/report/report.h"
#include "io/model/model.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// Says in which settings the tokens of `input` are not of the kind that `model` was trained on;
/// nothing where there is no difference, or the model does not tell.
void warn_of_tokenizer(const Report& report, const LoadedModel& model, const InputOptions& input);

}  // namespace elmo

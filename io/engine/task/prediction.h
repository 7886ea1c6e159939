// Predicts files of text with a trained task model.
#pragma once

#include <optional>
#include <string>

#include "io/engine/listener.h"
#include "io/engine/request.h"
#include "io/engine/task/predictor.h"
#include "io/labeled/example_file.h"
#include "io/labeled/prediction_writer.h"
#include "io/labeled/text_form.h"
#include "io/sinks/stream_sinks.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// The input of a prediction, and how it is read and written.
struct PredictionRequest : PredictorRequest {
  InputOptions input;                      ///< without its format
  std::optional<TextForm> form;            ///< nothing: by the files' names
  std::string column = "upos";             ///< of CoNLL-U, for the labels
  std::optional<PredictionFormat> format;  ///< nothing: that of the input
  GivenOptions given;
};

/// Reads the model, checks the files' names and writes the predictions as they arrive. Errors: as
/// Predictor, Predictor::run, the readers and the stream; RequestError for a form or column that
/// the model or the format does not support, and for options that have no effect on the input.
void predict_files(const PredictionRequest& request, RunListener& listener, Stream output);

}  // namespace elmo

// Predicts files of text with a trained task model.
#pragma once

#include <optional>
#include <string>

#include "core/message.h"
#include "io/engine/listener.h"
#include "io/engine/task/predictor.h"
#include "io/tasks/kinds.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// The input of a prediction, and how it is read and written.
struct PredictionRequest : PredictorRequest {
  InputOptions input;                      ///< without its format
  std::optional<TextForm> form;            ///< nothing: as form_of_file() finds it
  std::string column = "upos";             ///< CoNLL-U: the column for the labels
  TableNames table;                        ///< tables of texts: the columns to read
  std::optional<PredictionFormat> format;  ///< nothing: the input's format
};

/// The forms of input and output.
struct PredictionForms {
  TextForm input = TextForm::text;
  PredictionFormat output = PredictionFormat::columns;
};

/// Fills in what the request leaves open, by the names and the first lines of the files, and notes
/// the choice. `kind`: the model's kind. RequestError if the files have different forms, and for a
/// form or a column that the kind or the format does not support.
PredictionForms prediction_forms(const PredictionRequest& request, const LabeledKind& kind,
                                 RunListener& listener);

/// Returns the condition under which a setting of the input has an effect, such as
/// Setting{"input_format"} + " text"; nothing if it has one already. Strict reading always has an
/// effect.
std::optional<Message> missing_for(Setting setting, const LabeledKind& kind,
                                   const PredictionForms& forms);

/// Reads the model and writes the predictions as they arrive. `forms`: see prediction_forms().
/// Errors: as Predictor, Predictor::run, the readers and the stream; RequestError for a format that
/// cannot hold the predictions.
void predict_files(const PredictionRequest& request, const PredictionForms& forms,
                   RunListener& listener, Stream output);

}  // namespace elmo

// Predicts files of text with a trained task model.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/common/listener.h"
#include "cli/common/process.h"
#include "cli/task/predictor.h"
#include "core/inference/sentence.h"
#include "core/tasks/common/task_kind.h"
#include "io/labeled/example_source.h"
#include "io/labeled/kinds.h"
#include "io/labeled/labeled_sentences.h"
#include "io/labeled/text_form.h"
#include "io/sinks/stream_sinks.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// The input of a prediction, and how it is read and written.
struct PredictionRequest {
  PredictorRequest predictor;
  InputOptions input;                      ///< without its format
  std::optional<TextForm> form;            ///< nothing: by the files' names
  std::string column = "upos";             ///< of CoNLL-U, for the labels
  std::optional<PredictionFormat> format;  ///< nothing: that of the input
};

/// A model and the files to predict. One thread.
class PredictionRun {
 public:
  /// Reads the model and checks the files' names. `request` and `listener` must outlive this.
  /// Errors: as Predictor; RequestError for a form or column that the model or the format does not
  /// support.
  PredictionRun(const PredictionRequest& request, RunListener& listener, Stream output);

  /// The reading options that have an effect on some inputs only, as typed on the command line.
  static std::vector<std::string> options_of_some_inputs();

  /// What such an option requires to have an effect, such as "--input-format text"; nothing if it
  /// has one here.
  std::optional<std::string> missing_for(const std::string& option) const;

  /// Writes the predictions as they arrive. Errors: as Predictor::run, the readers and the stream.
  void run();

 private:
  using TextOf = std::function<std::string(const ExampleGroup&, std::span<const TaskPrediction>)>;

  InputOptions input() const;
  TextForm form_by_name() const;
  PredictionFormat format_of_form() const;
  bool is_text() const {
    return form_ == TextForm::text || form_ == TextForm::tokens || form_ == TextForm::conllu;
  }
  bool fills() const;
  bool records_hold_tokens() const;
  bool reads_labels(const std::string& file) const;
  template <typename Input>
  void set_reading(const std::string& file, Input& input) const;

  void predict(ExampleSource& source, const TextOf& text_of);
  void predict(ExampleSource& source);
  void predict(SentenceSource& source) { predict(*examples_of_text(source, kind_)); }
  void predict_input();
  void predict_records();
  void predict_tokens(LabeledFormat format);
  void predict_texts();
  void add(const ExampleCounters& counters);
  void note_cut(std::uint64_t sentences, const char* what) const;

  const PredictionRequest& request_;
  RunListener& listener_;
  Predictor predictor_;
  TokenizerSettings tokenizer_;
  TaskKind kind_;
  ExampleShape shape_;
  TextForm form_;
  bool tokens_given_;  // records hold tokens
  PredictionFormat format_;
  std::unique_ptr<PredictionWriter> writer_;
  BufferedOutput output_;
  ExampleCounters counters_;
};

}  // namespace elmo

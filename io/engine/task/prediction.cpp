#include "io/engine/task/prediction.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/labeled/examples.h"
#include "io/labeled/filled_lines.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/input/input_files.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Returns the number of a column of CoNLL-U, from 1; 0 if only CoNLL-U Plus may have it.
std::size_t column_number(const std::string& name) {
  const std::optional<std::size_t> column = ConlluColumns().find_labels(name);
  return column ? *column + 1 : 0;
}

/// The settings that affect some forms only.
constexpr std::array<std::pair<Setting, bool KindForm::*>, 8> kFormSettings = {
    {{Setting{"lines"}, &KindForm::lines},
     {Setting{"tokenizer"}, &KindForm::tokenizer},
     {Setting{"locale"}, &KindForm::tokenizer},
     {Setting{"contractions"}, &KindForm::tokenizer},
     {Setting{"text_field"}, &KindForm::fields},
     {Setting{"id_field"}, &KindForm::fields},
     {Setting{"text_column"}, &KindForm::table},
     {Setting{"skip_bad_records"}, &KindForm::records}}};

/// Returns whether a form is jsonl for users.
bool is_of_records(TextForm form) {
  return form == TextForm::jsonl || form == TextForm::token_records ||
         form == TextForm::data_records;
}

std::string name_of(TextForm form) {
  return std::string(kTextForms.word(is_of_records(form) ? TextForm::jsonl : form));
}

/// Returns the names of forms, such as "text, jsonl or columns".
std::string names_of(const std::vector<KindForm>& forms) {
  std::vector<std::string> names;
  for (const KindForm& form : forms) add_once(names, name_of(form.form));
  return alternatives(std::move(names));
}

/// Returns the form of the files, which must all agree.
TextForm form_of_files(const PredictionRequest& request, const LabeledKind& kind,
                       RunListener& listener) {
  std::optional<TextForm> form;
  std::string first;
  for (const InputFile& file : list_input_files(request.input.files)) {
    const TextForm found = form_of_file(file.path, kind.format);
    if (form && *form != found) {
      throw RequestError(first + " is " + name_of(*form) + " and " + file.path + " " +
                         name_of(found) + "; label them one by one, or give " +
                         Setting{"input_format"});
    }
    if (!form) first = file.path;
    form = found;
  }
  if (kind.forms.size() == 1) return kind.forms.front().form;
  if (*form != TextForm::text) {
    listener.note(first + ": read as " + name_of(*form) + ", by its name or first line; " +
                  Setting{"input_format"} + " decides otherwise");
  }
  return *form;
}

PredictionFormat usual_format(TextForm form, const ExampleShape& shape) {
  if (shape.records || is_of_records(form)) return PredictionFormat::jsonl;
  const bool conllu = form == TextForm::conllu && shape.token_labels;
  return conllu ? PredictionFormat::conllu : PredictionFormat::columns;
}

/// Returns whether the output is the input with labels filled in.
bool fills(const PredictionForms& forms) {
  if (forms.input == TextForm::conllu) return forms.output == PredictionFormat::conllu;
  return forms.input == TextForm::columns && forms.output == PredictionFormat::columns;
}

/// Joins files that are written one after another: a blank line ends each file before the next one,
/// and only the first keeps its byte order mark. One file alone is unchanged.
class JoinedFiles {
 public:
  void next_file() { begins_ = true; }

  /// Returns the next text of the current file, ready to write.
  std::string next(std::string text) {
    if (text.empty()) return text;
    const bool first = end_.empty();
    if (std::exchange(begins_, false) && !first) {
      if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
      const bool blank = end_.ends_with("\n\n") || end_.ends_with("\n\r\n");
      text.insert(0, blank ? "" : end_.ends_with('\n') ? "\n" : "\n\n");
    }
    constexpr std::size_t kEnd = 3;
    end_ += text.substr(text.size() - std::min(kEnd, text.size()));
    end_.erase(0, end_.size() - std::min(kEnd, end_.size()));
    return text;
  }

 private:
  bool begins_ = true;
  std::string end_;  // end of the text written so far
};

/// A model and the files to predict. One thread.
class PredictionRun {
 public:
  PredictionRun(const PredictionRequest& request, const PredictionForms& forms,
                RunListener& listener, Stream output)
      : request_(request),
        forms_(forms),
        listener_(listener),
        predictor_(request),
        kind_(*predictor_.description().kind),
        tokenizer_(task_tokenizer(request.input.request, predictor_.description())),
        writer_(kind_.writer(
            {forms.output, predictor_.description().labels, column_number(request.column)})),
        output_(std::move(output)) {}

  void run() {
    const bool labeled = kind_.find(forms_.input)->as_labeled;
    if (kind_.task.shape.token_labels && (labeled || fills(forms_))) {
      predict_tokens();
    } else if (labeled) {
      predict_records();
    } else {
      predict_input();
    }
    note_count(listener_, counters_.invalid_sequences, "invalid UTF-8 sequence", "read as U+FFFD");
    note_count(listener_, counters_.malformed, "malformed record", "left out");
    output_.write(writer_->end());
    output_.flush();
  }

 private:
  using TextOf = std::function<std::string(const ExampleGroup&, TaskPredictions)>;

  /// Adds the counts of a file that has been read, and passes its note on.
  void add(const ExampleFile& file) {
    const ExampleCounters counters = file.counters();
    counters_.malformed += counters.malformed;
    counters_.invalid_sequences += counters.invalid_sequences;
    if (const std::string note = file.note(); !note.empty()) {
      listener_.note(file.name() + ": " + note);
    }
  }

  /// Predicts the examples of `source` and writes the output as they arrive.
  void predict(ExampleSource& source, const TextOf& text_of) {
    predictor_.run(
        source,
        [&](const ExampleGroup& group, TaskPredictions predictions) {
          output_.write(text_of(group, predictions));
        },
        [&] { output_.flush(); });
    output_.flush();
  }

  void predict(ExampleSource& source) {
    predict(source, [&](const ExampleGroup& group, TaskPredictions predictions) {
      return name_errors(source.name(), [&] { return writer_->text_of(group, predictions); });
    });
  }

  void predict(SentenceSource& source) { predict(*kind_.examples_of(source)); }

  /// Returns how to read a file of examples whose labels are ignored.
  ExampleInput example_input(const std::string& file) const {
    ExampleInput input;
    input.file = file;
    input.form = is_of_records(forms_.input) ? TextForm::jsonl : forms_.input;
    input.column = request_.column;
    input.table = request_.table;
    if (forms_.input != TextForm::columns) {
      input.label_column = false;
    } else if (request_.form) {
      input.label_column = true;
    }
    input.tokenizer = tokenizer_;
    input.labeled = false;
    input.strict = request_.input.strict;
    input.skip_bad_records = request_.input.skip_bad_records;
    input.stop = &predictor_.stopping();
    return input;
  }

  /// Predicts examples of files in their training form.
  void predict_records() {
    for (const InputFile& file : list_input_files(request_.input.files)) {
      LabelSet labels(predictor_.description().labels);
      const auto source = open_examples(example_input(file.path), kind_, labels);
      predict(*source);
      add(*source);
    }
  }

  void note_cut(std::uint64_t sentences, const char* what) const {
    note_count(listener_, sentences, what,
               "of more than " + human_count(kDefaultMaxSentenceTokens, "token") +
                   ", cut into pieces that are labeled each");
  }

  /// Predicts sentences, or texts of one sentence each, as all commands read them.
  void predict_input() {
    InputOptions options = request_.input;
    options.tokenizer = tokenizer_;
    options.format = kInputFormats.find(name_of(forms_.input)).value();
    if (!kind_.task.shape.records && !kind_.task.shape.token_labels) {
      options.lines = options.format == InputFormat::text;
      options.whole_records = options.format == InputFormat::jsonl;
    }
    options.max_sentence_tokens = kDefaultMaxSentenceTokens;
    ReadingControl control{.stop = &predictor_.stopping()};
    if (forms_.input == TextForm::jsonl) control.through = lines_of_array;
    const std::unique_ptr<TextSource> sentences = open_source(options, control);
    predict(*sentences);
    note_cut(sentences->cut_sentences(),
             options.whole_records || options.lines ? "text" : "sentence");
    note_input(listener_, sentences->counters());
  }

  /// Predicts sentences of files in the training forms of token labels.
  void predict_tokens() {
    const bool filled = fills(forms_);
    for (const InputFile& file : list_input_files(request_.input.files)) {
      LabelSet labels(predictor_.description().labels);
      joined_.next_file();
      ExampleInput input = example_input(file.path);
      FilledLines lines(forms_.input, request_.column);
      if (filled) {
        input.through = [&](std::unique_ptr<ByteSource> bytes) {
          return lines.keep(std::move(bytes));
        };
      }
      const auto source = open_examples(input, kind_, labels);
      const auto sentences = texts_of(*source);
      SentenceCutter cutter(*sentences, kDefaultMaxSentenceTokens);
      if (!filled) {
        predict(cutter);
      } else {
        predict(*kind_.examples_of(cutter), [&](const ExampleGroup&, TaskPredictions predictions) {
          if (predictions.empty()) return std::string();
          return joined_.next(
              lines.fill(labels.names_of(predictions.front()->as<LabelPrediction>().labels)));
        });
        output_.write(joined_.next(lines.rest()));
        output_.flush();
      }
      note_cut(cutter.cut_sentences(), "sentence");
      add(*source);
    }
  }

  const PredictionRequest& request_;
  PredictionForms forms_;
  RunListener& listener_;
  Predictor predictor_;
  const LabeledKind& kind_;
  TokenizerSettings tokenizer_;
  std::unique_ptr<PredictionWriter> writer_;
  JoinedFiles joined_;  // joined output with labels filled in
  BufferedOutput output_;
  ExampleCounters counters_;
};

}  // namespace

PredictionForms prediction_forms(const PredictionRequest& request, const LabeledKind& kind,
                                 RunListener& listener) {
  PredictionForms forms;
  forms.input = request.form ? *request.form : form_of_files(request, kind, listener);
  if (kind.find(forms.input) == nullptr) {
    throw RequestError(Setting{"input_format"} + (" " + name_of(forms.input)) +
                       ": a model of the kind " + kind.task.name + " cannot read it; expected " +
                       names_of(kind.forms));
  }
  if (forms.input == TextForm::jsonl && kind.find(TextForm::token_records) != nullptr) {
    const TextForm found = form_of_records(list_input_files(request.input.files).front().path,
                                           request.input.text_field);
    if (kind.find(found) != nullptr) forms.input = found;
    if (forms.input == TextForm::token_records) {
      listener.note("read as records of tokens, by the first one");
    } else if (forms.input == TextForm::data_records) {
      listener.note("read as records with a text in \"data\", by the first one");
    }
  }
  forms.output = request.format ? *request.format : usual_format(forms.input, kind.task.shape);
  if (forms.output == PredictionFormat::conllu && !fills(forms) &&
      column_number(request.column) == 0) {
    throw RequestError(Setting{"column"} + (" " + request.column) +
                       ": CoNLL-U has no such column of labels");
  }
  return forms;
}

std::optional<Message> missing_for(Setting setting, const LabeledKind& kind,
                                   const PredictionForms& forms) {
  if (setting == Setting{"column"}) {
    if (forms.output == PredictionFormat::conllu) return std::nullopt;
    return kind.task.shape.token_labels ? Setting{"format"} + " conllu"
                                        : Message("models that label tokens");
  }
  const auto row =
      std::ranges::find(kFormSettings, setting, [](const auto& one) { return one.first; });
  if (row == kFormSettings.end()) return std::nullopt;
  const auto has_effect = row->second;
  std::vector<KindForm> effective;
  std::ranges::copy_if(kind.forms, std::back_inserter(effective), std::identity(), has_effect);
  const auto holds = [&effective](TextForm form) {
    return std::ranges::count(effective, form, &KindForm::form) > 0;
  };
  if (holds(forms.input)) return std::nullopt;
  if (is_of_records(forms.input) && holds(TextForm::jsonl)) {
    return "records of text, and the first one holds " +
           Message(forms.input == TextForm::token_records ? "tokens" : "it in \"data\"");
  }
  if (!effective.empty()) return Setting{"input_format"} + " " + names_of(effective);
  return "models of the kinds " + names_of_kinds([has_effect](const LabeledKind& one) {
           return std::ranges::any_of(one.forms, has_effect);
         });
}

void predict_files(const PredictionRequest& request, const PredictionForms& forms,
                   RunListener& listener, Stream output) {
  PredictionRun(request, forms, listener, std::move(output)).run();
}

}  // namespace elmo

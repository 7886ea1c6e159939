#include "io/labeled/kinds.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/tasks/kinds.h"
#include "core/tasks/role_labeler.h"
#include "io/labeled/coref_examples.h"
#include "io/labeled/examples.h"
#include "io/labeled/frame_examples.h"
#include "io/labeled/question_examples.h"
#include "io/labeled/text_examples.h"
#include "io/labeled/token_examples.h"
#include "io/text/bytes/decompression.h"

namespace elmo {
namespace {

constexpr const char* kNoToken = "found no token; expected sentences with a label for each token";
constexpr const char* kNoText = "found no text; expected texts with a label each";
constexpr const char* kNoFrame =
    "found no frame; expected sentences with the frames of their predicates";

/// Returns the form by a name without an extension of compression. Names that end in one of
/// `columns` mean columns.
TextForm form_by_name(std::string_view name, std::span<const std::string_view> columns) {
  if (is_name_of_conllu(name)) return TextForm::conllu;
  if (name.ends_with(".jsonl")) return TextForm::jsonl;
  const auto ends_name = [name](std::string_view ending) { return name.ends_with(ending); };
  return std::ranges::any_of(columns, ends_name) ? TextForm::columns : TextForm::text;
}

TextForm form_of_tokens(const std::string& file) {
  constexpr std::array<std::string_view, 6> kColumns = {".conll", ".iob",   ".iob2",
                                                        ".bio",   ".bioes", ".tsv"};
  return form_by_name(without_compression(file), kColumns);
}

TextForm form_of_texts(const std::string& file) {
  constexpr std::array<std::string_view, 1> kColumns = {".tsv"};
  return form_by_name(without_compression(file), kColumns);
}

/// A .tsv is GAP's table if it begins like one.
TextForm form_of_records(const std::string& file) {
  constexpr std::array<std::string_view, 2> kColumns = {".conll", "_conll"};
  const std::string_view name = without_compression(file);
  if (name.ends_with(".json")) return TextForm::jsonl;
  if (name.ends_with(".tsv") && is_gap_header(first_line_of(file))) {
    return TextForm::columns;
  }
  return form_by_name(name, kColumns);
}

std::unique_ptr<ExampleSource> sentence_examples(SentenceSource& sentences) {
  return examples_of_sentences(sentences, {});
}

/// Makes examples whose predicates the model finds.
std::unique_ptr<ExampleSource> predicate_examples(SentenceSource& sentences) {
  return examples_of_sentences(sentences, {kFindPredicates});
}

}  // namespace

std::span<const LabeledKind> labeled_kinds() {
  using enum TextForm;
  static const std::array<LabeledKind, 6> kKinds = {
      {{.task = tag_kind(),
        .format = {kNoToken, kNoToken, make_token_reader},
        .form_of = form_of_tokens,
        .forms = {text, tokens, jsonl, token_records, conllu, columns},
        .labeled_forms = {token_records, columns},
        .lines = {text, jsonl},
        .tokenized = {text, jsonl},
        .fields = {jsonl},
        .records = {jsonl, token_records},
        .examples_of = sentence_examples,
        .writer = make_token_writer},
       {.task = classify_kind(),
        .format = {kNoText, kNoText, make_text_reader},
        .form_of = form_of_texts,
        .forms = {text, tokens, jsonl, token_records, conllu, columns},
        .labeled_forms = {token_records, columns},
        .tokenized = {text, jsonl, columns},
        .fields = {jsonl},
        .records = {jsonl, token_records, columns},
        .examples_of = sentence_examples,
        .writer = make_text_writer},
       {.task = pair_kind(),
        .format = {kNoText, kNoText, make_pair_reader},
        .form_of = form_of_texts,
        .forms = {text, jsonl, columns},
        .labeled_forms = {text, jsonl, columns},
        .tokenized = {text, jsonl, columns},
        .records = {text, jsonl, columns},
        .writer = make_text_writer},
       {.task = qa_kind(),
        .format = {nullptr, nullptr, make_question_reader},
        .skips_unanswerable = true,
        .scored = scored_answers,
        .form_of = form_of_records,
        .forms = {jsonl},
        .labeled_forms = {jsonl},
        .tokenized = {jsonl},
        .records = {jsonl},
        .writer = make_answer_writer},
       {.task = srl_kind(),
        .format = {kNoFrame, kNoFrame, make_frame_reader},
        .form_of = form_of_records,
        .forms = {text, tokens, jsonl, conllu, columns},
        .labeled_forms = {jsonl, columns},
        .lines = {text},
        .tokenized = {text},
        .records = {jsonl},
        .examples_of = predicate_examples,
        .writer = make_frame_writer},
       {.task = coref_kind(),
        .format = {"found no document; expected documents with their clusters",
                   "found no cluster in any document; expected clusters of mentions",
                   make_coref_reader},
        .scored = scored_pronoun,
        .form_of = form_of_records,
        .forms = {text, tokens, jsonl, conllu, columns},
        .labeled_forms = {jsonl, columns},
        .lines = {text},
        .tokenized = {text, jsonl},
        .records = {jsonl},
        .examples_of = coref_examples_of_text,
        .writer = make_cluster_writer}}};
  return kKinds;
}

const LabeledKind* labeled_kind(std::string_view name, std::span<const LabeledKind> kinds) {
  const auto found = std::ranges::find_if(
      kinds, [name](const LabeledKind& kind) { return kind.task.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

std::string names_of_kinds(const std::function<bool(const LabeledKind&)>& holds) {
  std::string names;
  for (const LabeledKind& kind : labeled_kinds()) {
    if (holds(kind)) names.append(names.empty() ? "" : ", ").append(kind.task.name);
  }
  return names;
}

std::unique_ptr<ExampleFile> open_examples(const ExampleInput& input, const LabeledKind& kind,
                                           LabelSet& labels, std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<ExampleFile>(input, kind.task.shape.segments, kind.format, labels,
                                       std::move(bytes));
}

}  // namespace elmo

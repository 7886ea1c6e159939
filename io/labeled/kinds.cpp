#include "io/labeled/kinds.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/tasks/common/task_kind.h"
#include "core/tasks/role_labeler.h"
#include "io/files/descriptor.h"
#include "io/labeled/coref_examples.h"
#include "io/labeled/examples.h"
#include "io/labeled/frame_examples.h"
#include "io/labeled/line_conversion.h"
#include "io/labeled/question_examples.h"
#include "io/labeled/text_examples.h"
#include "io/labeled/token_examples.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

constexpr const char* kNoToken = "found no token; expected sentences with a label for each token";
constexpr const char* kNoText = "found no text; expected texts with a label each";
constexpr const char* kNoFrame =
    "found no frame; expected sentences with the frames of their predicates";

constexpr std::array<std::string_view, 6> kTagNames{".conll", ".iob",   ".iob2",
                                                    ".bio",   ".bioes", ".tsv"};
constexpr std::array<std::string_view, 2> kTableNames{".tsv", ".csv"};
constexpr std::array<std::string_view, 2> kConllNames{".conll", "_conll"};

bool begins_conll_2003(std::string_view line) { return line.starts_with(kDocumentStart); }

bool begins_conll_2012(std::string_view line) { return line.starts_with(kDocumentBegin); }

bool begins_coreference(std::string_view line) {
  return begins_conll_2012(line) || is_gap_header(line);
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
        .format = {kNoToken, kNoToken, make_token_reader, kTagNames, begins_conll_2003},
        .forms = {text, tokens, jsonl, token_records, data_records, conllu, columns},
        .labeled_forms = {token_records, data_records, columns},
        .lines = {text, jsonl},
        .tokenized = {text, jsonl, data_records},
        .fields = {jsonl},
        .records = {jsonl, token_records, data_records},
        .examples_of = sentence_examples,
        .writer = make_token_writer},
       {.task = classify_kind(),
        .format = {kNoText, kNoText, make_text_reader, kTableNames},
        .forms = {text, tokens, jsonl, token_records, conllu, columns},
        .labeled_forms = {token_records, columns},
        .tokenized = {text, jsonl, columns},
        .fields = {jsonl},
        .tables = {columns},
        .records = {jsonl, token_records, columns},
        .examples_of = sentence_examples,
        .writer = make_text_writer},
       {.task = pair_kind(),
        .format = {kNoText, kNoText, make_pair_reader, kTableNames},
        .forms = {text, jsonl, columns},
        .labeled_forms = {text, jsonl, columns},
        .tokenized = {text, jsonl, columns},
        .tables = {columns},
        .records = {text, jsonl, columns},
        .writer = make_text_writer},
       {.task = qa_kind(),
        .format = {nullptr, nullptr, make_question_reader},
        .skips_unanswerable = true,
        .scored = scored_answers,
        .forms = {jsonl},
        .labeled_forms = {jsonl},
        .tokenized = {jsonl},
        .records = {jsonl},
        .writer = make_answer_writer},
       {.task = srl_kind(),
        .format = {kNoFrame, kNoFrame, make_frame_reader, kConllNames, begins_conll_2012},
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
                   make_coref_reader, kConllNames, begins_coreference},
        .scored = scored_pronoun,
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

TextForm form_of_file(const std::string& file, const LabeledKind& kind) {
  std::unique_ptr<ByteSource> bytes = std::make_unique<MemoryBytes>("");
  if (!can_be_read_only_once(file)) bytes = open_file(file);
  ByteWindow window(lines_of_array(std::move(bytes)));
  return name_errors(file, [&] {
    pass_over_byte_order_mark(window, file);
    return form_of(file, window, kind.format).value_or(TextForm::text);
  });
}

std::unique_ptr<ExampleFile> open_examples(const ExampleInput& input, const LabeledKind& kind,
                                           LabelSet& labels, std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<ExampleFile>(input, kind.task.shape.segments, kind.format, labels,
                                       std::move(bytes));
}

}  // namespace elmo

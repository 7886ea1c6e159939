// Labeled sentences from any bytes. The first byte selects the format.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "io/labeled/kinds.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size == 0) return 0;
  ExampleInput input;
  input.file = "input";
  input.strict = data[0] / 4 % 2 == 1;
  input.skip_bad_records = data[0] / 8 % 2 == 1;
  switch (data[0] % 4) {
    case 0:
      input.form = TextForm::columns;
      break;
    case 1:
      input.form = TextForm::conllu;
      break;
    case 2:
      input.form = TextForm::jsonl;
      break;
    default:  // detected by content
      break;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    LabelSet label_set;
    const auto source =
        open_examples(input, *labeled_kind("tag"), label_set, std::make_unique<MemoryBytes>(text));
    for (ExampleGroup group; source->next(group);) {
      require(group.texts.size() == 1);
      const Sentence& sentence = group.texts.front();
      require(group.records.size() == (sentence.size() > 0 ? 1U : 0U));
      if (group.records.empty()) continue;
      const std::vector<std::string> labels = label_set.names_of(group.records.front().labels);
      require(labels.size() == sentence.size());
      require(sentence.document != nullptr && sentence.spans().size() == sentence.size());
      for (std::size_t i = 0; i < sentence.size(); ++i) {
        const std::string_view token = sentence.token(i);
        require(!token.empty() && is_valid(token) && token.find('\0') == std::string_view::npos);
        require(!labels[i].empty() && is_valid(labels[i]));
      }
      const auto scheme = span_scheme(labels);
      if (!scheme) continue;
      const auto spans = spans_of(labels);
      require(spans_of(convert_spans(labels, SpanScheme::iob2)) == spans);
      require(spans_of(convert_spans(labels, SpanScheme::bioes)) == spans);
    }
  } catch (const InputError&) {
  }
  return 0;
}

// Labeled sentences from any bytes. The first byte selects the format.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "io/tasks/kinds.h"
#include "tests/fuzz/check_sentences.h"

namespace {

using namespace elmo;

void check(const Sentence& sentence, const std::vector<std::string>& labels) {
  require(labels.size() == sentence.size());
  require(sentence.document != nullptr && sentence.spans().size() == sentence.size());
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const std::string_view token = sentence.token(i);
    require(!token.empty() && is_valid(token) && token.find('\0') == std::string_view::npos);
    require(!labels[i].empty() && is_valid(labels[i]));
  }
  const auto scheme = span_scheme(labels);
  if (!scheme) return;
  const auto spans = spans_of(labels);
  require(spans_of(convert_spans(labels, SpanScheme::iob2)) == spans);
  require(spans_of(convert_spans(labels, SpanScheme::bioes)) == spans);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
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
      const auto filled = std::ranges::count_if(
          group.texts, [](const Sentence& sentence) { return sentence.size() > 0; });
      require(!group.texts.empty() && group.records.size() == static_cast<std::size_t>(filled));
      for (const TaskRecord& record : group.records) {
        require(record.texts.size() == 1);
        check(group.texts.at(record.texts.front()),
              label_set.names_of(record.gold->as<LabelGold>().labels));
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}

// Questions about texts from any bytes. The first byte selects whether answers are read.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/tasks/answer_scores.h"
#include "io/tasks/kinds.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size == 0) return 0;
  ExampleInput input;
  input.file = "input";
  input.labeled = data[0] % 2 == 0;
  input.strict = data[0] / 2 % 2 == 1;
  input.skip_bad_records = data[0] / 4 % 2 == 1;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    LabelSet labels;
    const auto source =
        open_examples(input, *labeled_kind("qa"), labels, std::make_unique<MemoryBytes>(text));
    const auto writer = labeled_kind("qa")->writer({.format = PredictionFormat::jsonl});
    for (ExampleGroup group; source->next(group);) {
      std::vector<PredictionPointer> predictions;
      for (const TaskRecord& record : group.records) {
        const auto& asked = record.gold->as<AskedQuestion>();
        const auto tokens = static_cast<std::int32_t>(asked.context->tokens.size());
        require(record.texts.size() == asked.window_begins.size() + 1);
        require(input.labeled == !asked.spans.empty());
        for (const AnswerSpan& span : asked.spans) {
          require(0 <= span.first && span.first <= span.last && span.last < tokens);
          asked.agreement(span);
        }
        const AnswerSpan all{0, tokens - 1};
        require(is_valid(asked.context->answer(all)));
        predictions.push_back(std::make_shared<AnswerPrediction>(all, 0.5F));
      }
      for (const Sentence& sentence : group.texts) {
        require(sentence.document != nullptr && sentence.size() > 0);
        for (std::size_t i = 0; i < sentence.size(); ++i) {
          const std::string_view token = sentence.token(i);
          require(!token.empty() && is_valid(token) && token.find('\0') == std::string_view::npos);
        }
      }
      writer->text_of(group, predictions);
    }
  } catch (const InputError&) {
  }
  return 0;
}

// Sentences with frames from any bytes. The first byte selects whether tags are read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/role_scores.h"
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
        open_examples(input, *labeled_kind("srl"), labels, std::make_unique<MemoryBytes>(text));
    for (ExampleGroup group; source->next(group);) {
      require(group.texts.size() == 1);
      const Sentence& sentence = group.texts.front();
      const std::size_t tokens = sentence.size();
      require(group.records.size() == (tokens > 0 ? 1 : 0));
      if (tokens == 0) continue;
      for (std::size_t i = 0; i < tokens; ++i) {
        const std::string_view token = sentence.token(i);
        require(!token.empty() && is_valid(token) && token.find('\0') == std::string_view::npos);
      }
      const TaskRecord& record = group.records.front();
      require(record.gold != nullptr || !input.labeled);
      if (record.gold == nullptr) continue;
      const auto& gold = record.gold->as<FrameGold>();
      for (const std::int32_t predicate : gold.predicates) {
        require(predicate >= 0 && static_cast<std::size_t>(predicate) < tokens);
      }
      if (!input.labeled) continue;
      require(gold.labels.size() == gold.predicates.size() * tokens);
      const std::vector<std::string> tags = labels.names_of(gold.labels);
      for (std::size_t first = 0; first < tags.size(); first += tokens) {
        std::string former;
        for (const std::string& tag : std::span(tags).subspan(first, tokens)) {
          require(is_valid(tag) && may_follow(SpanScheme::iob2, former, tag));
          former = tag;
        }
        role_arguments(std::span(tags).subspan(first, tokens));
      }
      for (const PredictionFormat format : {PredictionFormat::jsonl, PredictionFormat::columns}) {
        try {
          FramePrediction prediction;
          prediction.predicates = gold.predicates;
          prediction.labels = gold.labels;
          const PredictionPointer one = std::make_shared<FramePrediction>(std::move(prediction));
          const std::string written = labeled_kind("srl")
                                          ->writer({.format = format, .labels = labels.names()})
                                          ->text_of(group, {&one, 1});
          require(is_valid(written));
        } catch (const InputError&) {  // two frames with one predicate
        }
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}

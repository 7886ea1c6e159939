// Labeled texts and pairs of texts from any bytes. The first byte selects the format.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/error.h"
#include "io/tasks/kinds.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size == 0) return 0;
  ExampleInput input;
  constexpr std::array kNames = {"input", "input.jsonl", "input.csv", "input.tsv"};
  input.file = kNames[data[0] / 4 % 2 + data[0] / 32 % 2 * 2];
  const std::size_t count = data[0] % 2 == 1 ? 2 : 1;
  input.labeled = data[0] / 2 % 2 == 1;
  input.strict = data[0] / 8 % 2 == 1;
  input.skip_bad_records = data[0] / 16 % 2 == 1;
  if (data[0] / 64 % 2 == 1) input.table.texts.assign(count, "a");
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    LabelSet labels;
    const LabeledKind& kind = *labeled_kind(count == 2 ? "pair" : "classify");
    const auto source = open_examples(input, kind, labels, std::make_unique<MemoryBytes>(text));
    std::size_t texts = 0;
    for (ExampleGroup group; source->next(group);) {
      require(group.texts.size() == count);
      bool has_words = true;
      for (const Sentence& sentence : group.texts) {
        require(!input.labeled || sentence.size() > 0);
        require(sentence.spans().size() == sentence.size());
        has_words = has_words && sentence.size() > 0;
      }
      require(group.records.size() == (has_words ? 1U : 0U));
      for (const TaskRecord& record : group.records) {
        require(input.labeled == (record.gold != nullptr));
        if (input.labeled) require(record.gold->as<LabelGold>().labels.size() == 1);
      }
      require((texts += count) <= 2 * text.size());
    }
  } catch (const InputError&) {
  } catch (const RequestError&) {  // names of columns for jsonl
  }
  return 0;
}

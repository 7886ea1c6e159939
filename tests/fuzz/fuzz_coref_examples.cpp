// Coreference documents from any bytes. The first byte selects the format.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>

#include "core/error.h"
#include "core/tasks/coref/coref_scores.h"
#include "io/tasks/kinds.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size == 0) return 0;
  ExampleInput input;
  input.file = "input";
  input.labeled = data[0] % 2 == 1;
  input.strict = data[0] / 2 % 2 == 1;
  input.skip_bad_records = data[0] / 4 % 2 == 1;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    LabelSet labels;
    const auto source =
        open_examples(input, *labeled_kind("coref"), labels, std::make_unique<MemoryBytes>(text));
    for (ExampleGroup group; source->next(group);) {
      require(!group.texts.empty() && group.records.size() <= 1);
      for (const TaskRecord& record : group.records) {
        std::int64_t tokens = 0;
        for (const std::uint64_t number : record.texts) {
          require(group.texts.at(number).size() > 0);
          tokens += static_cast<std::int64_t>(group.texts[number].size());
        }
        const auto& gold = record.gold->as<CorefGold>();
        require(gold.speakers.empty() || gold.speakers.size() == record.texts.size());
        require(gold.genre < labels.size());
        std::set<RowSpan> mentions;
        for (const MentionCluster& cluster : gold.clusters) {
          for (const RowSpan& span : cluster) {
            require(span.begin >= 0 && span.begin < span.end && span.end <= tokens);
            require(mentions.insert(span).second);
          }
        }
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}

#include "io/labeled/coref/coref_writer.h"

#include "core/error.h"
#include "core/tasks/coref/clusters.h"
#include "core/tasks/coref/coref_gold.h"
#include "io/json/json_text.h"

namespace elmo {
namespace {

/// Byte range of each token of the record in its text.
std::vector<ByteSpan> token_bytes(const ExampleGroup& group, const TaskRecord& record) {
  std::vector<ByteSpan> bytes;
  for (const std::uint64_t text : record.texts) {
    const std::vector<ByteSpan>& spans = group.texts[text].spans();
    bytes.insert(bytes.end(), spans.begin(), spans.end());
  }
  return bytes;
}

class CorefWriter final : public PredictionWriter {
 public:
  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override {
    std::string text =
        R"({"document": )" + json_text(group.texts.front().document->id) + R"(, "clusters": [)";
    if (!predictions.empty()) {
      append_clusters(group, group.records.front(), predictions.front(), text);
    }
    return text + "]}\n";
  }

 private:
  static void append_clusters(const ExampleGroup& group, const TaskRecord& record,
                              const TaskPrediction& prediction, std::string& text) {
    const auto* const gold = dynamic_cast<const CorefGold*>(record.gold.get());
    const bool in_bytes = gold != nullptr && gold->in_bytes;
    const std::vector<ByteSpan> bytes =
        in_bytes ? token_bytes(group, record) : std::vector<ByteSpan>();
    const char* before_cluster = "[";
    for (const MentionCluster& cluster : clusters_of(prediction.labels)) {
      text += before_cluster;
      const char* before_span = "[";
      for (const RowSpan& span : cluster) {
        text += before_span;
        text += in_bytes ? json_number(bytes[static_cast<std::size_t>(span.begin)].begin)
                         : json_number(span.begin);
        text += ", ";
        text += in_bytes ? json_number(bytes[static_cast<std::size_t>(span.end - 1)].end)
                         : json_number(span.end);
        text += "]";
        before_span = ", [";
      }
      text += "]";
      before_cluster = ", [";
    }
  }
};

}  // namespace

std::unique_ptr<PredictionWriter> coref_writer(PredictionFormat format) {
  if (format != PredictionFormat::jsonl) {
    throw RequestError("the model finds clusters of mentions, which are written as jsonl alone");
  }
  return std::make_unique<CorefWriter>();
}

}  // namespace elmo

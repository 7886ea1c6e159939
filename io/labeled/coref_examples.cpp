#include "io/labeled/coref_examples.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/tasks/coref/clusters.h"
#include "io/files/descriptor.h"
#include "io/json/json.h"
#include "io/labeled/coref_columns.h"
#include "io/labeled/coref_records.h"
#include "io/labeled/opened_file.h"

namespace elmo {
namespace {

FormatOptions coref_format(const ExampleInput& input) {
  FormatOptions options;
  options.format = InputFormat::text;  // the format of GAP's texts
  options.tokenizer = input.tokenizer;
  options.strict = input.strict;
  options.skip_bad_records = input.skip_bad_records;
  return options;
}

class CorefExamples final : public ExampleSource {
 public:
  CorefExamples(const ExampleInput& input, LabelSet& labels, std::unique_ptr<ByteSource> bytes)
      : file_(input.file, coref_format(input), input.stop, std::move(bytes)),
        labeled_(input.labeled),
        labels_(labels) {
    if (begins_with_object(file_.window)) {
      reader_ = std::make_unique<CorefRecords>(file_.window, file_.context, labeled_);
    } else if (begins_with_gap_header(file_.window)) {
      reader_ = std::make_unique<GapTable>(file_.window, file_.context, labeled_);
    } else {
      reader_ = std::make_unique<CorefColumns>(file_.window, file_.context, labeled_);
    }
  }

  bool next(ExampleGroup& group) override {
    group = {};
    CorefDocument document;
    if (!read(document)) return false;
    TaskRecord record;
    record.given.push_back(document.genre.empty() ? -1 : labels_.add(document.genre));
    std::unordered_map<std::string, std::int32_t> speakers;
    for (std::size_t n = 0; n < document.sentences.size(); ++n) {
      if (document.sentences[n].size() == 0) continue;
      record.texts.push_back(n);
      if (document.speakers.empty()) continue;
      const std::string& speaker = document.speakers[n];
      const auto number = static_cast<std::int32_t>(speakers.size());
      record.given.push_back(speaker.empty() ? -1
                                             : speakers.try_emplace(speaker, number).first->second);
    }
    record.labels = cluster_labels(document.clusters);
    record.gold = document.gold;
    group.texts = std::move(document.sentences);
    if (!record.texts.empty()) group.records.push_back(std::move(record));
    return true;
  }

  ExampleCounters counters() const override { return counters_of(file_); }
  const std::string& name() const override { return file_.name; }

 private:
  bool read(CorefDocument& document) {
    return name_errors(file_.name, [&] {
      if (reader_->next(document)) {
        has_clusters_ = has_clusters_ || !document.clusters.empty() || document.gold != nullptr;
        return has_documents_ = true;
      }
      if (!has_documents_ && labeled_) {
        throw InputError("found no document; expected documents with their clusters");
      }
      if (!has_clusters_ && labeled_) {
        throw InputError("found no cluster in any document; expected clusters of mentions");
      }
      return false;
    });
  }

  OpenedFile file_;
  bool labeled_;
  LabelSet& labels_;
  std::unique_ptr<CorefReader> reader_;
  bool has_documents_ = false;
  bool has_clusters_ = false;  // or pronouns
};

class CorefTexts final : public ExampleSource {
 public:
  explicit CorefTexts(SentenceSource& sentences) : sentences_(sentences) {}

  bool next(ExampleGroup& group) override {
    group = {};
    if (!has_next_ && !read()) return false;
    const std::shared_ptr<const Document> document = next_.document;
    TaskRecord record;
    do {
      if (next_.size() > 0) record.texts.push_back(group.texts.size());
      group.texts.push_back(std::exchange(next_, {}));
    } while (read() && next_.document == document);
    auto gold = std::make_shared<CorefGold>();
    gold->in_bytes = true;
    record.gold = std::move(gold);
    if (!record.texts.empty()) group.records.push_back(std::move(record));
    return true;
  }
  const std::string& name() const override { return name_; }

 private:
  bool read() { return has_next_ = sentences_.next(next_); }

  SentenceSource& sentences_;
  Sentence next_;  // first sentence of the next document
  bool has_next_ = false;
  std::string name_;
};

}  // namespace

std::unique_ptr<ExampleSource> open_coref_examples(const ExampleInput& input, LabelSet& labels) {
  return open_coref_examples(input, labels, nullptr);
}

std::unique_ptr<ExampleSource> open_coref_examples(const ExampleInput& input, LabelSet& labels,
                                                   std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<CorefExamples>(input, labels, std::move(bytes));
}

std::unique_ptr<ExampleSource> coref_examples_of_text(SentenceSource& sentences) {
  return std::make_unique<CorefTexts>(sentences);
}

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
    const auto* const gold = record.gold_as<CorefGold>();
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

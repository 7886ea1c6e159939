#include <utility>

#include "core/error.h"
#include "core/inference/sentence_cutter.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/srl/role_labeler.h"
#include "io/json/json_document.h"
#include "io/labeled/common/labeled_reader.h"
#include "io/labeled/common/listed_tokens.h"
#include "io/labeled/srl/frame_reader.h"
#include "io/text/segment/white_space.h"

namespace elmo {

void check_sentence_length(std::size_t tokens) {
  if (tokens <= kDefaultMaxSentenceTokens) return;
  throw InputError("found a sentence of " + std::to_string(tokens) +
                   " tokens; expected no more than " + std::to_string(kDefaultMaxSentenceTokens));
}

namespace {

/// One record per line: {"tokens": […], "frames": [{"predicate", "tags"}]}.
class FrameRecords final : public FrameReader {
 public:
  explicit FrameRecords(const FrameReading& reading)
      : context_(reading.context), labeled_(reading.labeled), lines_(reading.window) {}

  bool next(FramedSentence& framed) override {
    while (lines_.next()) {
      try {
        if (lines_.too_long() || lines_.line().size() > kMaxSentenceBytes) {
          throw InputError("found more than " + std::to_string(kMaxSentenceBytes) +
                           " bytes; expected smaller records");
        }
        line_.assign(lines_.line());
        if (is_blank_line(line_.text())) continue;
        framed = {};
        read(JsonDocument(line_.text(), "", "an object with tokens and frames"), framed);
        return true;
      } catch (const InputError& error) {
        leave_out_or_refuse(context_, labeled_, "line " + std::to_string(lines_.number()) + ": ",
                            error);
      }
    }
    return false;
  }

 private:
  void read(const JsonDocument& record, FramedSentence& framed) {
    const std::vector<std::string> tokens = record["tokens"].texts();
    check_sentence_length(tokens.size());
    const JsonNode id = record["id"];
    framed.sentence.document = context_.begin_document(
        id.is_there() && id.is_text() ? id.text() : std::to_string(lines_.number()));
    framed.sentence.line = lines_.number();
    add_listed_tokens(tokens, framed.sentence);
    const JsonNode frames = record["frames"];
    if (!labeled_ && !frames.is_there()) {
      if (!tokens.empty()) framed.given.push_back(kFindPredicates);
      return;
    }
    for (const JsonNode& frame : frames.elements("an array of frames")) {
      const JsonNode predicate = frame["predicate"];
      if (tokens.empty()) predicate.refuse("no frame, as the sentence has no token");
      framed.given.push_back(static_cast<std::int32_t>(
          predicate.whole(0, static_cast<std::int64_t>(tokens.size()) - 1)));
      if (labeled_) read_tags(frame["tags"], tokens.size(), framed.labels);
    }
  }

  static void read_tags(const JsonNode& node, std::size_t tokens,
                        std::vector<std::string>& labels) {
    const std::vector<JsonNode> tags = node.elements("an array of BIO tags");
    if (tags.size() != tokens) {
      node.refuse(std::to_string(tokens) + " tags, one for each token; found " +
                  std::to_string(tags.size()));
    }
    std::string former;
    for (const JsonNode& node_of_tag : tags) {
      const std::string& tag = node_of_tag.text();
      check_label(tag);
      const bool begins = tag.starts_with("B-") && tag.size() > 2;
      const bool continues = tag.starts_with("I-") && tag.size() > 2;
      if (tag != "O" && !begins && !continues) node_of_tag.refuse("O, B-ROLE or I-ROLE");
      if (!may_follow(SpanScheme::iob2, former, tag)) {
        node_of_tag.refuse("B-" + tag.substr(2) + " to begin a span, behind " +
                           (former.empty() ? "nothing" : former));
      }
      labels.push_back(tag);
      former = tag;
    }
  }

  ReadingContext& context_;
  bool labeled_;
  RecordLines lines_;
  RepairedText line_;
};

}  // namespace

std::unique_ptr<FrameReader> frame_records(const FrameReading& reading) {
  return std::make_unique<FrameRecords>(reading);
}

}  // namespace elmo

// A source of given sentences and a sink that keeps everything.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/embed.h"

namespace elmo {

using Sentences = std::vector<std::vector<std::string>>;

class ListSource final : public SentenceSource {
 public:
  explicit ListSource(Sentences sentences) : sentences_(std::move(sentences)) {}

  bool next(Sentence& sentence) override {
    sentence.clear();
    if (next_ == sentences_.size()) return false;
    if (document_of) {
      const std::uint32_t number = document_of(next_);
      if (document_->number != number) {
        std::string id = "d";
        id += std::to_string(number);
        document_ = std::make_shared<const Document>(Document{number, std::move(id)});
      }
    }
    sentence.document = document_;
    sentence.line = next_ + 1;
    std::uint64_t place = 0;
    for (const std::string& token : sentences_[next_]) {
      sentence.add(token, {place, place + token.size()});
      place += token.size() + 1;
    }
    if (keep) {
      if (const auto kept = keep(next_)) sentence.keep(*kept);
    }
    ++next_;
    return true;
  }

  /// Selects the tokens to keep of a sentence. Null: all.
  std::function<std::optional<std::vector<std::uint32_t>>(std::size_t)> keep;
  /// Returns the document of a sentence. Null: document 0 for all.
  std::function<std::uint32_t(std::size_t)> document_of;

  void skip(std::size_t count) { next_ += count; }

 private:
  Sentences sentences_;
  std::shared_ptr<const Document> document_ = std::make_shared<const Document>();
  std::size_t next_ = 0;
};

struct CollectingSink final : ActivationSink {
  std::vector<std::vector<std::string>> tokens;
  std::vector<std::vector<float>> activations;  // by sentence
  std::vector<SegmentEnd> segments;
  bool finished = false;
  std::function<void()> on_write = [] {};

  SinkTraits traits() const override { return wanted; }
  void write(const ActivationBatch& batch) override {
    on_write();
    CHECK(batch.first_sentence == first_sentence + tokens.size());
    const std::size_t per_token =
        batch.token_count() == 0 ? 0 : batch.activations.size() / batch.token_count();
    const float* from = batch.activations.data();
    for (const Sentence& sentence : batch.sentences) {
      tokens.emplace_back();
      for (std::size_t t = 0; t < sentence.size(); ++t) {
        tokens.back().emplace_back(sentence.token(t));
      }
      activations.emplace_back(from, from + sentence.size() * per_token);
      from += sentence.size() * per_token;
    }
  }
  void end_segment(const SegmentEnd& end) override { segments.push_back(end); }
  void finish() override { finished = true; }

  std::uint64_t first_sentence = 0;
  SinkTraits wanted;
};

/// All values that a run depends on, as tests vary them.
struct RunOptions : EmbedOptions, Resources, Beginning {
  std::uint64_t segment_bytes = 0;
};

inline EmbedJob job_of(const Bilm& model, SentenceSource& source, ActivationSink& sink,
                       const RunOptions& options) {
  return {.model = model,
          .source = source,
          .sink = sink,
          .options = options,
          .resources = options,
          .beginning = options};
}

inline CollectingSink embed_all(const Bilm& model, const Sentences& sentences,
                                const RunOptions& options) {
  ListSource source(sentences);
  CollectingSink sink;
  sink.wanted.segment_bytes = options.segment_bytes;
  const EmbedResult result = embed(job_of(model, source, sink, options));
  CHECK(result.completed);
  CHECK(sink.finished);
  CHECK(result.progress.sentences == sentences.size());
  return sink;
}

}  // namespace elmo

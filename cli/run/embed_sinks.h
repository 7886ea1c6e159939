// The sinks that `elmo embed` writes its outputs with.
#pragma once

#include <cstdint>
#include <memory>

#include "cli/run/embed_request.h"
#include "cli/run/listener.h"
#include "core/inference/sink.h"
#include "core/inference/word_averages.h"
#include "io/shard/write/shard_file.h"
#include "io/sinks/word2vec.h"

namespace elmo {

/// Writes the mean vector of each word when all have come. Errors: as WordVectorFile. One thread.
class WordVectorSink final : public ActivationSink {
 public:
  WordVectorSink(const WordAverageOutput& output, const ActivationLayout& layout)
      : file_(output.path, output.format, output.overwrite),
        averages_(layout),
        min_count_(output.min_count) {}

  void write(const ActivationBatch& batch) override { averages_.write(batch); }
  void end_segment(const SegmentEnd&) override {}
  void finish() override { written_ = file_.publish(averages_, min_count_); }

  std::string warning() const { return file_.warning(); }
  const WordAverages& averages() const { return averages_; }
  std::uint64_t written() const { return written_; }  ///< words; once it is finished

 private:
  WordVectorFile file_;
  WordAverages averages_;
  std::uint64_t min_count_;
  std::uint64_t written_ = 0;
};

/// Open an output; what there is to warn of goes to `listener`. The stream has to outlive its sink.
/// Errors: as the sinks.
std::unique_ptr<WordVectorSink> open_sink(const WordAverageOutput& output,
                                          const ActivationLayout& layout, RunListener& listener);
std::unique_ptr<ActivationSink> open_sink(const AllenNlpOutput& output,
                                          const ActivationLayout& layout, RunListener& listener);
std::unique_ptr<ActivationSink> open_sink(const StreamOutput& output,
                                          const ActivationLayout& layout, RunListener& listener);

/// What the shards of an output hold of a text in that format. The manifest has no options.
ShardFormat shard_format_of(const ShardOutput& output, InputFormat text,
                            const ActivationLayout& layout);

}  // namespace elmo

// The sinks for the outputs of `elmo embed`.
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

/// Writes the mean vector of each word after the last token. Errors: as WordVectorFile. One thread.
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
  std::uint64_t written() const { return written_; }  ///< words; valid after finish()

 private:
  WordVectorFile file_;
  WordAverages averages_;
  std::uint64_t min_count_;
  std::uint64_t written_ = 0;
};

/// Open an output. Warnings go to `listener`. A stream must outlive its sink. Errors: as the sinks.
std::unique_ptr<WordVectorSink> open_sink(const WordAverageOutput& output,
                                          const ActivationLayout& layout, RunListener& listener);
std::unique_ptr<ActivationSink> open_sink(const AllenNlpOutput& output,
                                          const ActivationLayout& layout, RunListener& listener);
std::unique_ptr<ActivationSink> open_sink(const StreamOutput& output,
                                          const ActivationLayout& layout, RunListener& listener);

/// The format of an output's shards. `text` is the format of the input. The result has no options
/// for the manifest.
ShardFormat shard_format_of(const ShardOutput& output, InputFormat text,
                            const ActivationLayout& layout);

}  // namespace elmo

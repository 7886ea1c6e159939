#include "cli/run/embed_sinks.h"

#include "io/sinks/allennlp.h"
#include "io/sinks/jsonl.h"
#include "io/sinks/npy.h"

namespace elmo {

std::unique_ptr<WordVectorSink> open_sink(const WordAverageOutput& output,
                                          const ActivationLayout& layout, RunListener& listener) {
  auto sink = std::make_unique<WordVectorSink>(output, layout);
  listener.note(sink->warning());
  return sink;
}

std::unique_ptr<ActivationSink> open_sink(const AllenNlpOutput& output,
                                          const ActivationLayout& layout, RunListener& listener) {
  const AllenNlpOptions options{output.forget_sentences, output.text.rows.boundaries,
                                output.overwrite};
  auto sink = std::make_unique<AllenNlpSink>(output.path, layout, options);
  listener.note(sink->warning());
  return sink;
}

std::unique_ptr<ActivationSink> open_sink(const StreamOutput& output,
                                          const ActivationLayout& layout, RunListener&) {
  const bool pooled = row_choice(output).pool.has_value();
  if (output.to.format == StreamFormat::npy) {
    return std::make_unique<NpySink>(*output.to.stream, layout, output.dtype, pooled);
  }
  return std::make_unique<JsonlSink>(*output.to.stream, layout, output.dtype, pooled);
}

ShardFormat shard_format_of(const ShardOutput& output, InputFormat text,
                            const ActivationLayout& layout) {
  const RowChoice rows = row_choice(output);
  return {layout,
          output.dtype,
          output.compression,
          rows.boundaries,
          rows.selected(),
          rows.pool.has_value(),
          rows.part,
          rows.part && text == InputFormat::jsonl,
          {}};
}

}  // namespace elmo

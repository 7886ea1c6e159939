#include "io/outputs/outputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "io/outputs/arrow.h"
#include "io/outputs/sinks.h"
#include "io/outputs/stream_sinks.h"

namespace elmo {
namespace {

/// A second file has the scales of int8; a stream has no place for them.
std::string refused_by_npy(Dtype dtype, bool stream) {
  const bool holds = !format_of(dtype).npy.empty() && !(stream && format_of(dtype).has_scales);
  return holds ? "" : not_in_numpy(dtype);
}

std::string refused_by_allennlp(Dtype dtype, bool) {
  const bool holds = dtype == Dtype::float32 || dtype == Dtype::float16;
  return holds ? "" : "its readers expect float32 or float16";
}

template <WordVectorFormat format>
std::unique_ptr<OutputSink> open_words(const OutputTarget& target, const OutputRows& rows) {
  return open_word_vectors(target, rows, format);
}

constexpr std::string_view kWordsStopped = "nothing was written: averages cannot be resumed";

}  // namespace

std::span<const OutputFormat> output_formats() {
  static const std::array formats = {
      OutputFormat{.name = "shards", .help = "HDF5 with a row per token"},
      OutputFormat{.name = "allennlp",
                   .help = "one HDF5 file with a dataset per sentence (float32 or float16)",
                   .keeps_lines = true,
                   .stopped = "nothing was written: a file of this layout cannot be resumed",
                   .refusal = refused_by_allennlp,
                   .open = open_allennlp},
      OutputFormat{.name = "jsonl",
                   .help = "a JSON object per sentence",
                   .endings = {".jsonl"},
                   .to_stream = true,
                   .all_tokens = true,
                   .exported = true,
                   .open = open_jsonl},
      OutputFormat{.name = "npy",
                   .help = "NumPy arrays (float32 or float16 in a stream)",
                   .endings = {".npy"},
                   .files = "npy adds NAME.offsets.npy and, for int8, NAME.scales.npy",
                   .to_stream = true,
                   .exported = true,
                   .refusal = refused_by_npy,
                   .open = open_npy},
      OutputFormat{.name = "safetensors",
                   .help = "one file of tensors",
                   .endings = {".safetensors"},
                   .exported = true,
                   .computed = false,
                   .has_metadata = true,
                   .open = open_safetensors},
      OutputFormat{.name = "arrow",
                   .help = "a table of Apache Arrow with a row per sentence (not bfloat16)",
                   .endings = {".arrow", ".arrows"},
                   .files = "arrow writes a file (.arrow) or a stream (.arrows)",
                   .to_stream = true,
                   .exported = true,
                   .has_metadata = true,
                   .refusal = [](Dtype dtype, bool) { return not_in_arrow(dtype); },
                   .open = open_arrow},
      OutputFormat{.name = "word2vec-text",
                   .help = "a word and its mean vector per line",
                   .endings = {".txt", ".vec"},
                   .of_words = true,
                   .stopped = kWordsStopped,
                   .open = open_words<WordVectorFormat::text>},
      OutputFormat{.name = "word2vec-binary",
                   .help = "the same in binary",
                   .endings = {".bin"},
                   .of_words = true,
                   .stopped = kWordsStopped,
                   .open = open_words<WordVectorFormat::binary>},
      OutputFormat{.name = "words-arrow",
                   .help = "the same as a table of Apache Arrow",
                   .endings = {".arrow", ".arrows"},
                   .of_words = true,
                   .has_metadata = true,
                   .stopped = kWordsStopped,
                   .open = open_words_arrow}};
  return formats;
}

const OutputFormat& output_format(std::string_view name) {
  const auto found = std::ranges::find(output_formats(), name, &OutputFormat::name);
  if (found == output_formats().end()) throw std::logic_error("there is no such output");
  return *found;
}

const OutputFormat* word_format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const auto found = std::ranges::find_if(output_formats(), [&](const OutputFormat& format) {
    return format.of_words && format.has_ending(ending);
  });
  return found == output_formats().end() ? nullptr : &*found;
}

}  // namespace elmo

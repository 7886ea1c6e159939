// The request to embed a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/kernels/precision.h"
#include "io/dtype.h"
#include "io/engine/mix.h"
#include "io/engine/model.h"
#include "io/files/atomic_file.h"
#include "io/h5/types.h"
#include "io/outputs/outputs.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// Embeds a text. By default, every token of the text gets a row of a shard.
struct EmbedRequest {
  ModelSpec model;
  Precision precision = Precision::float32;
  InputOptions input;  ///< the files and how they are read; the rest follows, see reading()

  // The tokens that get a row.
  std::string words;  ///< a file, or words separated by commas; empty: all
  std::string expression;
  bool ignore_case = false;
  std::uint64_t sample = 0;  ///< tokens to draw; 0: all. The whole text is read before its
                             ///< sentences are computed, so there is nothing to resume.
  std::uint64_t seed = 1;    ///< of the sample

  // The rows.
  EmbedOptions embed;
  Resources resources;
  TaskMixRequest mix;           ///< the task model of the mixture; empty: `embed` has the mixture
  std::uint64_t min_count = 1;  ///< of the words in word averages
  /// Longer sentences are cut; default: that of the format.
  std::optional<std::size_t> max_sentence_tokens = std::nullopt;

  // The output.
  std::string output;  ///< folder or file; empty: the stream
  const OutputFormat* format = &shards_format();
  Dtype dtype = Dtype::float32;                         ///< unless rows are words
  h5::Compression compression = h5::Compression::none;  ///< of shards, like the next
  std::uint64_t shard_bytes = std::uint64_t{1} << 30;   ///< before compression, at most
  bool forget_sentences = false;                        ///< see OutputRows
  RunMode mode = RunMode::create;

  /// Returns whether only some of the tokens get a row.
  bool selects() const { return !words.empty() || !expression.empty() || sample > 0; }
};

/// Throws RequestError for settings that contradict each other, naming both, and for a dtype that
/// the format cannot hold.
void validate(const EmbedRequest& request);

// The functions below expect a request that passed validate().

/// Returns the number of tokens above which sentences are cut.
std::size_t max_sentence_tokens(const EmbedRequest& request);

/// Returns how the input is read for the request's rows and output. Errors: as for_each_word;
/// RequestError for a list with an empty word.
InputOptions reading(const EmbedRequest& request);

/// Returns the dtype of the output.
Dtype output_dtype(const EmbedRequest& request);

/// Returns what an output of the request receives.
OutputRows output_rows(const EmbedRequest& request, const ActivationLayout& layout);

}  // namespace elmo

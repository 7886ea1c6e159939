// What `elmo embed` is asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "cli/run/model_request.h"
#include "cli/run/sentence_stream.h"
#include "cli/run/task_mix.h"
#include "core/inference/embed.h"
#include "core/inference/sentence_cutter.h"
#include "core/kernels/precision.h"
#include "io/dtype.h"
#include "io/h5/compression.h"
#include "io/shard/write/shard_run.h"
#include "io/sinks/word2vec.h"
#include "io/text/source/text_source.h"
#include "io/text/token_matcher.h"

namespace elmo {

// What gets a row.

/// Every token of the text.
struct EveryToken {
  bool boundaries = false;  ///< `<S>` and `</S>` too
};
/// The tokens that a query matches.
struct ChosenTokens {
  TokenQuery query;
};
/// Tokens drawn at random, of all or of those that a query matches.
struct SampledTokens {
  std::uint64_t size = 1;
  std::uint64_t seed = 1;
  std::optional<TokenQuery> query;
};
/// Sentences or documents, made of all tokens or of those that a query matches.
struct PooledTokens {
  PoolOptions pool;
  std::optional<TokenQuery> query;
};
using KeptTokens = std::variant<EveryToken, ChosenTokens, SampledTokens>;
using Rows = std::variant<EveryToken, ChosenTokens, SampledTokens, PooledTokens>;

// Where the rows go.

/// HDF5 shards in a folder.
struct ShardOutput {
  std::string folder;
  Rows rows;
  RunMode mode = RunMode::create;
  std::optional<InputPart> part;  ///< of the input that is embedded; nothing: all of it
  Dtype dtype = Dtype::float32;
  h5::Compression compression = h5::Compression::none;
  std::uint64_t shard_bytes = std::uint64_t{1} << 30;  ///< before compression, at most
};
/// One HDF5 file with a dataset a sentence.
struct AllenNlpOutput {
  std::string path;
  bool boundaries = false;
  bool forget_sentences = false;
  bool overwrite = false;
};
struct StreamOutput {
  SentenceStream to;
  Rows rows;
  Dtype dtype = Dtype::float32;
};
/// A file with the mean vector of each word.
struct WordAverageOutput {
  std::string path;
  WordVectorFormat format = WordVectorFormat::text;
  KeptTokens tokens;
  std::uint64_t min_count = 1;
  bool overwrite = false;
};
using EmbedOutput = std::variant<ShardOutput, AllenNlpOutput, StreamOutput, WordAverageOutput>;

struct EmbedRequest {
  InputOptions input;  ///< without what the output decides: `written`, `part`, `whole_documents`
  ModelRequest model;
  std::optional<TaskMix> task;  ///< the mixture that `embed` has, where a task model learned it
  EmbedOptions embed;           ///< without what the output decides: `pool`, `boundaries`
  Precision precision = Precision::float32;
  std::size_t max_sentence_tokens = kDefaultMaxSentenceTokens;  ///< longer ones are cut
  EmbedOutput output;
};

/// What the rows of an output are made of.
struct RowChoice {
  const TokenQuery* query = nullptr;      ///< none: all tokens
  const SampledTokens* sample = nullptr;  ///< where they are drawn at random
  std::optional<PoolOptions> pool{};
  bool boundaries = false;

  bool selected() const { return query != nullptr || sample != nullptr; }
};

/// Points into `output`, which outlives it.
RowChoice row_choice(const EmbedOutput& output);
RowChoice row_choice(const ShardOutput& output);
RowChoice row_choice(EmbedOutput&& output) = delete;
RowChoice row_choice(ShardOutput&& output) = delete;

/// The folder or file that is written, which is no input; empty for a stream. Of a part it is the
/// folder of the whole run.
std::string written_path(const EmbedOutput& output);

/// How the input is read for this output.
InputOptions reading(const EmbedRequest& request);

/// The number format of the output.
Dtype output_dtype(const EmbedOutput& output);

/// The options of the request with those that the output decides.
EmbedOptions computing(const EmbedRequest& request);

}  // namespace elmo

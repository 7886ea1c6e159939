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

// The state that a sentence starts from.

/// One that depends on no other sentence.
enum class OwnState { zero, warm };
/// What the sentence `lanes` earlier left: every sentence is computed, from the first one on.
struct CarriedState {
  int lanes = 1;
};
using StartState = std::variant<OwnState, CarriedState>;

// What gets a row.

/// Every token of the text.
struct EveryToken {
  bool boundaries = false;  ///< `<S>` and `</S>` too
};
/// The tokens that a query matches.
struct ChosenTokens {
  TokenQuery query;
};
/// Sentences or documents, made of all tokens or of those that a query matches.
struct PooledTokens {
  PoolOptions pool;
  std::optional<TokenQuery> query;
};
using Tokens = std::variant<EveryToken, ChosenTokens>;
using Rows = std::variant<EveryToken, ChosenTokens, PooledTokens>;

/// The text from its beginning to its end.
template <typename RowsOfIt>
struct WholeText {
  RowsOfIt rows;
  StartState start;
};
/// A part of the text, which is computed without the parts before.
struct TextPart {
  InputPart part;
  Rows rows;
  OwnState start = OwnState::zero;
};
/// Tokens drawn at random, of all or of those that a query matches. The whole text is read before
/// the sentences that hold some are computed, so there is nothing to resume.
struct SampledTokens {
  std::uint64_t size = 1;
  std::uint64_t seed = 1;
  std::optional<TokenQuery> query;
  OwnState start = OwnState::zero;
};

// Where the rows go.

struct ResumableShards {
  std::variant<WholeText<Rows>, TextPart> text;
  RunMode mode = RunMode::create;
};
struct SampleShards {
  SampledTokens tokens;
  bool overwrite = false;
};
/// HDF5 shards in a folder.
struct ShardOutput {
  std::string folder;
  std::variant<ResumableShards, SampleShards> content;
  Dtype dtype = Dtype::float32;
  h5::Compression compression = h5::Compression::none;
  std::uint64_t shard_bytes = std::uint64_t{1} << 30;  ///< before compression, at most
};
/// One HDF5 file with a dataset a sentence.
struct AllenNlpOutput {
  std::string path;
  WholeText<EveryToken> text;
  bool forget_sentences = false;
  bool overwrite = false;
};
struct StreamOutput {
  SentenceStream to;
  std::variant<WholeText<Rows>, SampledTokens> content;
  Dtype dtype = Dtype::float32;
};
/// A file with the mean vector of each word.
struct WordAverageOutput {
  std::string path;
  WordVectorFormat format = WordVectorFormat::text;
  std::variant<WholeText<Tokens>, SampledTokens> content;
  std::uint64_t min_count = 1;
  bool overwrite = false;
};
using EmbedOutput = std::variant<ShardOutput, AllenNlpOutput, StreamOutput, WordAverageOutput>;

struct EmbedRequest {
  InputOptions input;  ///< without what the output decides: `written`, `part`, `whole_documents`
  ModelRequest model;
  std::optional<TaskMix> task;  ///< the mixture that `embed` has, where a task model learned it
  EmbedOptions embed;  ///< without what the output decides: `pool`, `boundaries`, initial state
  Precision precision = Precision::float32;
  std::size_t max_sentence_tokens = kDefaultMaxSentenceTokens;  ///< longer ones are cut
  EmbedOutput output;
};

/// What the rows of an output are made of, of whichever kind it is.
struct RowChoice {
  const TokenQuery* query = nullptr;      ///< none: all tokens
  const SampledTokens* sample = nullptr;  ///< where they are drawn at random
  std::optional<PoolOptions> pool{};
  bool boundaries = false;
  StartState start{};
  std::optional<InputPart> part{};  ///< nothing: the whole text

  bool selected() const { return query != nullptr || sample != nullptr; }
};

/// Points into `output`, which outlives it.
RowChoice row_choice(const EmbedOutput& output);
RowChoice row_choice(const ShardOutput& output);
RowChoice row_choice(const StreamOutput& output);
RowChoice row_choice(EmbedOutput&& output) = delete;
RowChoice row_choice(ShardOutput&& output) = delete;

/// How the folder of shards is opened.
RunMode run_mode(const ShardOutput& output);

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

// The request of `elmo embed`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "cli/common/model_request.h"
#include "cli/common/task_mix.h"
#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/kernels/precision.h"
#include "io/dtype.h"
#include "io/h5/types.h"
#include "io/shard/shard_run.h"
#include "io/sinks/stream_sinks.h"
#include "io/sinks/word2vec.h"
#include "io/text/input/text_source.h"
#include "io/text/input/token_matcher.h"

namespace elmo {

// The initial state of a sentence.

/// An initial state that depends on no other sentence.
enum class OwnState { zero, warm };
/// The final state of the sentence `lanes` earlier. Every sentence is computed, beginning with the
/// first.
struct CarriedState {
  int lanes = 1;
};
using StartState = std::variant<OwnState, CarriedState>;

// The rows of the output.

/// Every token of the text.
struct EveryToken {
  bool boundaries = false;  ///< `<S>` and `</S>` too
};
/// The tokens that a query matches.
struct ChosenTokens {
  TokenQuery query;
};
/// Sentences or documents, pooled from all tokens or from those that a query matches.
struct PooledTokens {
  PoolOptions pool;
  std::optional<TokenQuery> query;
};
using Tokens = std::variant<EveryToken, ChosenTokens>;
using Rows = std::variant<EveryToken, ChosenTokens, PooledTokens>;

/// The whole text.
template <typename RowsOfIt>
struct WholeText {
  RowsOfIt rows;
  StartState start;
};
/// A part of the text, computed independently of the parts before it.
struct TextPart {
  InputPart part;
  Rows rows;
  OwnState start = OwnState::zero;
};
/// Tokens drawn at random from all tokens or from those that a query matches. The whole text is
/// read before the sentences with such tokens are computed, so there is nothing to resume.
struct SampledTokens {
  std::uint64_t size = 1;
  std::uint64_t seed = 1;
  std::optional<TokenQuery> query;
  OwnState start = OwnState::zero;
};

// The outputs.

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
/// One HDF5 file with a dataset per sentence.
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
  InputOptions input;  ///< the output decides `written`, `part` and `whole_documents`
  ModelRequest model;
  std::optional<TaskMix> task;  ///< the mixture in `embed`, if a task model learned it
  EmbedOptions embed;           ///< the output decides `pool`, `boundaries` and the initial state
  Precision precision = Precision::float32;
  std::size_t max_sentence_tokens = kDefaultMaxSentenceTokens;  ///< longer sentences are cut
  EmbedOutput output;
};

/// The rows of an output of any kind.
struct RowChoice {
  const TokenQuery* query = nullptr;      ///< null: all tokens
  const SampledTokens* sample = nullptr;  ///< not null if tokens are drawn at random
  std::optional<PoolOptions> pool{};
  bool boundaries = false;
  StartState start{};
  std::optional<InputPart> part{};  ///< nothing: the whole text

  bool selected() const { return query != nullptr || sample != nullptr; }
};

/// Returns pointers into `output`, which must outlive the result.
RowChoice row_choice(const EmbedOutput& output);
RowChoice row_choice(const ShardOutput& output);
RowChoice row_choice(const StreamOutput& output);
RowChoice row_choice(EmbedOutput&& output) = delete;
RowChoice row_choice(ShardOutput&& output) = delete;

/// Returns the mode in which the folder of shards is opened.
RunMode run_mode(const ShardOutput& output);

/// Returns the folder or file that is written, which is excluded from the input; empty for a
/// stream. For a part, it is the folder of the whole run.
std::string written_path(const EmbedOutput& output);

/// Returns the input options for the output of the request.
InputOptions reading(const EmbedRequest& request);

/// Returns the dtype of the output.
Dtype output_dtype(const EmbedOutput& output);

/// Returns the options of the request with the members that the output decides.
EmbedOptions computing(const EmbedRequest& request);

}  // namespace elmo

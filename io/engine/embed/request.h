// The request of `elmo embed`, and what its options decide together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/enum_table.h"
#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/kernels/precision.h"
#include "io/dtype.h"
#include "io/engine/mixing.h"
#include "io/engine/model.h"
#include "io/engine/request.h"
#include "io/h5/types.h"
#include "io/sinks/word2vec.h"
#include "io/text/input/input_options.h"
#include "io/text/input/token_matcher.h"

namespace elmo {

enum class EmbedLayout { shards, allennlp };
inline constexpr auto kEmbedLayouts =
    enum_table<EmbedLayout>({{"shards", EmbedLayout::shards}, {"allennlp", EmbedLayout::allennlp}});

enum class EmbedFormat { jsonl, npy, word2vec_text, word2vec_binary };
inline constexpr auto kEmbedFormats =
    enum_table<EmbedFormat>({{"jsonl", EmbedFormat::jsonl},
                             {"npy", EmbedFormat::npy},
                             {"word2vec-text", EmbedFormat::word2vec_text},
                             {"word2vec-binary", EmbedFormat::word2vec_binary}});

/// By default, every token of the text gets a row.
struct EmbedRequest {
  GivenOptions given;

  ModelSpec model;
  InputOptions input;       ///< as given; see reading()
  std::uint64_t parts = 0;  ///< number of parts of the input; 0: not divided
  std::uint64_t part = 0;   ///< the part to embed

  // The tokens that get a row.
  std::string words;  ///< a file, or words separated by commas; empty: all
  std::string expression;
  bool ignore_case = false;
  std::uint64_t sample = 0;  ///< tokens to draw; 0: all. The whole text is read before its
                             ///< sentences are computed, so there is nothing to resume.
  std::uint64_t seed = 1;    ///< of the sample

  // The rows.
  EmbedOptions embed;            ///< as given; see computing()
  TaskMixRequest mix;            ///< the task model of the mixture; empty: `embed` has the mixture
  std::optional<PoolKind> pool;  ///< nothing: a row per token
  PoolUnit pool_by = PoolUnit::sentence;
  bool average_words = false;  ///< a row per word: its mean vector
  std::uint64_t min_count = 1;
  std::size_t max_sentence_tokens = kDefaultMaxSentenceTokens;  ///< longer sentences are cut
  Precision precision = Precision::float32;

  // The output.
  std::string output;                 ///< folder or file; empty: standard output
  std::optional<EmbedFormat> format;  ///< of standard output, or of word averages
  EmbedLayout layout = EmbedLayout::shards;
  Dtype dtype = Dtype::float32;
  h5::Compression compression = h5::Compression::none;
  std::uint64_t shard_bytes = std::uint64_t{1} << 30;  ///< before compression, at most
  bool forget_sentences = false;
  bool resume = false;
  bool overwrite = false;

  bool dry_run = false;
  bool json = false;  ///< a dry run prints JSON
  bool quiet = false;

  /// Returns whether only some of the tokens get a row.
  bool selects() const { return !words.empty() || !expression.empty() || sample > 0; }
};

/// Throws RequestError for options that are incomplete or cannot be combined.
void validate(const EmbedRequest& request);

// The functions below expect a valid request.

enum class EmbedOutput {
  shards,    ///< HDF5 shards in a folder
  allennlp,  ///< one HDF5 file with a dataset per sentence
  stream,    ///< sentences on standard output, as JSON or NumPy arrays
  words      ///< a file with the mean vector of each word
};
EmbedOutput output_of(const EmbedRequest& request);

/// Returns the query for tokens; nothing if all are kept. Errors: as read_word_list; RequestError
/// for a list with an empty word.
std::optional<TokenQuery> token_query(const EmbedRequest& request);

/// Returns the part of the input to embed; nothing if the whole.
std::optional<InputPart> part_of(const EmbedRequest& request);

/// Returns the format of word averages, by --format or the file's name. RequestError if neither
/// says it.
WordVectorFormat word_format(const EmbedRequest& request);

/// Returns the dtype of the output.
Dtype output_dtype(const EmbedRequest& request);

/// Returns the input options for the request's output.
InputOptions reading(const EmbedRequest& request);

/// Returns the options of computing for the request's output.
EmbedOptions computing(const EmbedRequest& request);

}  // namespace elmo

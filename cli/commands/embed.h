// What `elmo embed` was asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/flags/model.h"
#include "cli/flags/selection.h"
#include "cli/flags/task_mix.h"
#include "cli/process/exit_codes.h"
#include "core/enum_table.h"
#include "core/inference/embed.h"
#include "core/inference/sentence_cutter.h"
#include "core/kernels/precision.h"
#include "io/dtype.h"
#include "io/h5/column.h"
#include "io/text/source/text_source.h"

namespace elmo {

enum class OutputLayout { shards, allennlp };  ///< with -o

inline constexpr auto kOutputLayouts = enum_table<OutputLayout>(
    {{"shards", OutputLayout::shards}, {"allennlp", OutputLayout::allennlp}});

enum class StreamFormat {
  jsonl,
  npy,
  word2vec_text,  ///< in a file of word averages, as is the next
  word2vec_binary
};

inline constexpr auto kStreamFormats =
    enum_table<StreamFormat>({{"jsonl", StreamFormat::jsonl},
                              {"npy", StreamFormat::npy},
                              {"word2vec-text", StreamFormat::word2vec_text},
                              {"word2vec-binary", StreamFormat::word2vec_binary}});

struct EmbedFlags {
  InputOptions input;
  ModelFlags model;
  SelectionFlags selection;     ///< which tokens are kept
  WordAverageFlags averages;    ///< whether a row a word is written instead of one a token
  PoolFlags pool;               ///< `embed` has it
  EmbedOptions embed;           ///< what depends on the other flags is set when it runs
  TaskMixFlags mix;             ///< where the mixture comes from; empty: from `embed`
  std::optional<TaskMix> task;  ///< what was read there; `embed` has it
  Precision precision = Precision::float32;
  std::size_t max_sentence_tokens = kDefaultMaxSentenceTokens;

  std::string output;                  ///< folder, or file of the layout allennlp; empty: stdout
  std::optional<StreamFormat> format;  ///< of standard output, or of word averages
  OutputLayout layout = OutputLayout::shards;
  Dtype dtype = Dtype::float32;
  h5::Compression compression = h5::Compression::none;
  std::uint64_t shard_bytes = std::uint64_t{1} << 30;
  std::uint64_t parts = 0;  ///< that the input is read in; 0: as a whole
  std::uint64_t part = 0;   ///< which of them
  bool forget_sentences = false;
  bool resume = false;
  bool overwrite = false;

  bool quiet = false;
  bool dry_run = false;
  float price = 0;    ///< of an hour of this machine, for a dry run; 0: not told
  bool json = false;  ///< a dry run tells in JSON
};

/// Embeds the input. Errors: as core and io throw them.
ExitCode run_embed(const EmbedFlags& flags);

/// Counts the input, and says on standard output what embedding it would take.
ExitCode run_dry(const EmbedFlags& flags);

}  // namespace elmo

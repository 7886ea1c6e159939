// Runs `elmo embed`.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/analysis/word_averages.h"
#include "core/inference/activations.h"
#include "core/inference/token_selection.h"
#include "core/model/bilm.h"
#include "io/engine/embed/request.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/provenance.h"
#include "io/shard/shard_file.h"
#include "io/sinks/stream_sinks.h"
#include "io/sinks/word2vec.h"

namespace elmo {

/// Summary of a run that reached the end of its input.
struct EmbedSummary {
  std::string model;  ///< the chosen model, and why; empty if one was named
  std::uint64_t documents = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t earlier_tokens = 0;  ///< part of `tokens`: read by an earlier run
  std::uint64_t cut_sentences = 0;   ///< longer than the request allows
  EmbedProgress done;                ///< by this run
  std::string tokenizer;             ///< of raw text: "ud, locale en"; else empty
  InputCounters input;
  std::chrono::duration<double> time{};
};

struct EmbedOutcome {
  enum class End {
    complete,       ///< everything is computed and written
    was_complete,   ///< shards: the run was complete before
    index_remade,   ///< shards: the run was complete before, except the index, which is rebuilt
    stopped,        ///< shards: `shards` are published; otherwise nothing is left
    not_changed,    ///< shards: stopped while published shards were checked
    never_started,  ///< stopped before anything was computed
  };
  End end = End::complete;
  std::string folder{};                   ///< of shards; of the part if it is one
  std::uint64_t shards = 0;               ///< published
  std::optional<EmbedSummary> summary{};  ///< if sentences were computed up to the end
  std::uint64_t words = 0;                ///< of word averages: different words in the text
  std::uint64_t written_words = 0;        ///< of them, those that occur often enough
  std::size_t dimensions = 0;             ///< of a word's vector
};

/// "3 shards published; repeat the command with --resume to continue"
std::string published_text(std::uint64_t shards, const EmbedRequest& request);

/// Embeds the input. `standard_output` is written if the request is for a stream, and must outlive
/// the call. Ends as soon as possible once `stop` is true. REQUIRES: validate(request) passed.
/// Errors: as in core and io; a SystemError also says what is published. Only the calling thread
/// uses `stop` and `listener`.
EmbedOutcome run_embed(const EmbedRequest& request, Stream& standard_output,
                       const std::atomic<bool>& stop, RunListener& listener);

/// The input of a request and the model that reads it. One thread.
struct EmbedSetup {
  /// Loads the model and opens the input, but reads only what --model auto needs. Notes differences
  /// between the tokenizer and that of the model's training text. `stop` must outlive this. Errors:
  /// as token_query, layer_mixing, choose_model, load_model and Bilm; InputError for a mixture of
  /// another model; RequestError if the output would replace the model.
  EmbedSetup(const EmbedRequest& request, const std::atomic<bool>& stop, RunListener& listener);
  EmbedSetup(const EmbedSetup&) = delete;
  EmbedSetup& operator=(const EmbedSetup&) = delete;

  /// The sentences to compute: those of the input, or of the sample of its tokens.
  SentenceSource& source() { return sample ? static_cast<SentenceSource&>(*sample) : *input; }
  ActivationLayout layout() const { return activation_layout(bilm->options(), options); }

  std::optional<TokenQuery> query;
  LayerMixing mixing;
  EmbedOptions options;  ///< of computing, with the mixture
  InputOptions reading;  ///< with the tokenizer of the model
  std::unique_ptr<TextSource> input;
  std::optional<TokenSample> sample;
  ModelSpec model;        ///< the chosen model
  std::string installed;  ///< its name; empty if files were named
  std::string choice;     ///< as EmbedSummary::model
  std::string fingerprint;
  std::optional<Bilm> bilm;
};

/// Writes the mean vector of each word after the last token. Errors: as WordVectorFile. One thread.
class WordVectorSink final : public ActivationSink {
 public:
  WordVectorSink(const EmbedRequest& request, const ActivationLayout& layout)
      : file_(request.output, word_format(request), request.overwrite),
        averages_(layout),
        min_count_(request.min_count) {}

  void write(const ActivationBatch& batch) override { averages_.write(batch); }
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

/// Opens the output of a request for a stream, which is `stream`, or for a file of the layout
/// allennlp. Warnings go to `listener`. Errors: as the sinks.
std::unique_ptr<ActivationSink> open_sink(const EmbedRequest& request,
                                          const ActivationLayout& layout, Stream& stream,
                                          RunListener& listener);

/// Returns the components that decide the contents of a run's shards, except those that ShardRun
/// adds. Errors: as list_input_files and describe_tokenizer.
Provenance run_provenance(const EmbedRequest& request, const EmbedSetup& setup);

/// The format of the request's shards, without options for the manifest.
ShardFormat shard_format_of(const EmbedRequest& request, const ActivationLayout& layout);

}  // namespace elmo

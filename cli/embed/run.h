// Runs `elmo embed`: chooses the model of `--model auto`, makes the sinks, and embeds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/common/listener.h"
#include "cli/embed/request.h"
#include "core/analysis/word_averages.h"
#include "core/inference/activations.h"
#include "core/model/bilm.h"
#include "io/shard/shard_file.h"
#include "io/sinks/word2vec.h"
#include "io/text/input/text_source.h"

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
  std::string folder;                   ///< of shards; of the part if it is one
  std::uint64_t shards = 0;             ///< published
  std::optional<EmbedSummary> summary;  ///< if sentences were computed up to the end
  std::uint64_t words = 0;              ///< of word averages: different words in the text
  std::uint64_t written_words = 0;      ///< of them, those that occur often enough
  std::size_t dimensions = 0;           ///< of a word's vector
};

/// "3 shards published; repeat the command with --resume to continue"
std::string published_text(std::uint64_t shards, const EmbedRequest& request);

/// Embeds the input. Ends as soon as possible once `stop` is true. Errors: as in core and io; a
/// SystemError also says what is published. Only the calling thread uses `stop` and `listener`.
EmbedOutcome run_embed(const EmbedRequest& request, const std::atomic<bool>& stop,
                       RunListener& listener);

/// The loaded model of a request, and how it was chosen.
struct EmbedModel {
  ModelRequest request;   ///< with the chosen model
  std::string installed;  ///< its name; empty if files were named
  std::optional<Bilm> bilm;
  std::string fingerprint;
  std::string choice;           ///< as EmbedSummary::model
  TokenizerSettings tokenizer;  ///< of the input
};
/// Loads the model and sets the tokenizer of `input`. Notes differences between this tokenizer and
/// that of the training text. Errors: as choose_model, load_model and Bilm; InputError for a
/// mixture of another model.
EmbedModel load_embed_model(const EmbedRequest& request, TextSource& input, RunListener& listener);

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

struct ModelChoice {
  ModelRequest model;  ///< the chosen model, by its folder
  std::string name;    ///< of the installed model
  std::string why;     ///< for people: "elmo-tiny-en (en): the script of 97 % of the letters"
};

/// Chooses the model of a request for kAutoModel. A resumed run keeps its model. Otherwise, a given
/// locale selects a model of its language. Otherwise, the scripts of the letters decide, in a
/// sample of all files, or in the first words of an input that can be read only once, which `input`
/// still returns. A model is a candidate if it reads the most frequent script. The best one has the
/// fewest scripts among those whose scripts have three quarters of the letters; without any such
/// model, it is the one whose scripts have the most letters. If no word has a script, the default
/// model is chosen. Errors: RequestError, naming what was found and what is installed, if no model
/// fits; as load_model and TextSource::next.
ModelChoice choose_model(const EmbedRequest& request, TextSource& input);

}  // namespace elmo

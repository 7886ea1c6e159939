// Runs `elmo embed`.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/run/embed_input.h"
#include "cli/run/embed_request.h"
#include "cli/run/listener.h"
#include "core/model/bilm.h"

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
EmbedModel load_embed_model(const EmbedRequest& request, EmbedInput& input, RunListener& listener);

}  // namespace elmo

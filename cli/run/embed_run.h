// The work of `elmo embed`.
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

/// What was read and computed by a run that came to the end of its input.
struct EmbedSummary {
  std::string model;  ///< which one was chosen, and why; empty where one was named
  std::uint64_t documents = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t earlier_tokens = 0;  ///< of them, read by an earlier run
  std::uint64_t cut_sentences = 0;   ///< longer than the request allows
  EmbedProgress done;                ///< by this run
  std::string tokenizer;             ///< of raw text: "ud, locale en"; else empty
  InputCounters input;
  std::chrono::duration<double> time{};
};

struct EmbedOutcome {
  enum class End {
    complete,       ///< all is computed and written
    was_complete,   ///< shards: all was there already
    index_remade,   ///< shards: likewise, except the index, which is there now
    stopped,        ///< shards: `shards` are published; else nothing is left
    not_changed,    ///< shards: stopped while what is published was read again
    never_started,  ///< stopped before anything was computed
  };
  End end = End::complete;
  std::string folder;                   ///< of shards: of the part where it is one
  std::uint64_t shards = 0;             ///< published
  std::optional<EmbedSummary> summary;  ///< where sentences were computed up to the end
  std::uint64_t words = 0;              ///< of word averages: all of the text
  std::uint64_t written_words = 0;      ///< those that occur often enough
  std::size_t dimensions = 0;           ///< of a word's vector
};

/// "3 shards published; repeat the command with --resume to continue"
std::string published_text(std::uint64_t shards, const EmbedRequest& request);

/// Embeds the input. Once `stop` is true it ends as soon as it can. Errors: as core and io throw
/// them; SystemError says what is published, too. `stop` and `listener` are used by the calling
/// thread alone.
EmbedOutcome run_embed(const EmbedRequest& request, const std::atomic<bool>& stop,
                       RunListener& listener);

/// The model that a request computes with, loaded, and how it was chosen.
struct EmbedModel {
  ModelRequest request;   ///< with the chosen model
  std::string installed;  ///< its name; empty where files were named
  std::optional<Bilm> bilm;
  std::string fingerprint;
  std::string choice;           ///< as EmbedSummary::model
  TokenizerSettings tokenizer;  ///< that the input is read with
};
/// Sets the tokenizer of `input`. What differs between the tokens of the text and those of training
/// goes to `listener`. Errors as choose_model, load_model and Bilm; InputError for a mixture of
/// another model.
EmbedModel load_embed_model(const EmbedRequest& request, EmbedInput& input, RunListener& listener);

}  // namespace elmo

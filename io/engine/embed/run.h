// Embeds a text.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/message.h"
#include "io/engine/embed/request.h"
#include "io/engine/listener.h"
#include "io/files/descriptor.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// Summary of a run that reached the end of its input.
struct EmbedSummary {
  Message model;  ///< the chosen model, and why; empty if one was named
  std::uint64_t documents = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t earlier_tokens = 0;  ///< part of `tokens`: read by an earlier run
  std::uint64_t cut_sentences = 0;   ///< longer than the request allows
  EmbedProgress done;                ///< progress of this run
  std::string tokenizer;             ///< tokenizer of raw text: "ud, locale en"; else empty
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
  std::string folder{};                   ///< folder of shards; for a part, the part's folder
  std::uint64_t shards = 0;               ///< number published
  std::optional<EmbedSummary> summary{};  ///< if sentences were computed up to the end
  std::string written{};                  ///< OutputSink::summary
};

/// "3 shards published; repeat the command with resume to continue"
Message published_text(std::uint64_t shards, const EmbedRequest& request);

/// Embeds the input. `stream` is written if the request's format is for one, and must outlive the
/// call. Ends as soon as possible once `stop` is true. Errors: as validate() and in core and io; a
/// SystemError also says what is published; RequestError without an output that the format needs.
/// Only the calling thread uses `stop` and `listener`.
EmbedOutcome run_embed(const EmbedRequest& request, Stream* stream, const std::atomic<bool>& stop,
                       RunListener& listener);

/// Embeds the input into `sink`, whatever the request's output. Otherwise as run_embed.
EmbedOutcome embed_into(const EmbedRequest& request, ActivationSink& sink,
                        const std::atomic<bool>& stop, RunListener& listener);

}  // namespace elmo

// Notifications of a running command, and notes about the text that it reads. Nothing here prints:
// the command decides what to show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/inference/embed.h"
#include "core/message.h"
#include "io/model/model.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// The progress of a run.
struct RunProgress {
  std::uint64_t tokens = 0;  ///< done since the start of this process
  /// Completed fraction of the input; nothing if its size is unknown.
  std::optional<double> fraction;
  std::string output;  ///< name of the current output, such as "shard 3"; may be empty
};

/// Returns the progress of computing the tokens of `input`. Earlier runs computed the first
/// `before`.
RunProgress progress_of(const TextSource& input, const EmbedProgress& done, double before = 0,
                        std::string output = "");

/// Is notified on the thread that runs the work. An exception that it throws ends the run.
class RunListener {
 public:
  virtual ~RunListener() = default;

  /// A line of information, such as what was found, cut or skipped. An empty line is ignored.
  virtual void note(const Message& /*line*/) {}

  /// Called often; the listener decides when to show it. `first_fraction` of the input was done by
  /// an earlier run.
  virtual void progressed(const RunProgress& /*progress*/, double /*first_fraction*/) {}

  /// The work reported by progressed() has ended.
  virtual void progress_ended() {}
};

/// Notes a count, such as "3 tokens cut"; nothing if `count` is 0.
void note_count(RunListener& listener, std::uint64_t count, const std::string& noun,
                const Message& what);

/// Notes what was repaired, cut or left out while reading, if anything.
void note_input(RunListener& listener, const InputCounters& counters);

/// Notes the settings in which the tokenizer of `input` differs from the tokenizer of the training
/// text of `model`. Notes nothing if they agree or the model does not record its tokenizer.
void note_tokenizer(RunListener& listener, const LoadedModel& model, const InputOptions& input);

}  // namespace elmo

// What a run reports while it continues. Nothing here prints: a command decides what becomes of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace elmo {

/// How far a run is.
struct RunProgress {
  std::uint64_t tokens = 0;        ///< done since the start of this process
  std::optional<double> fraction;  ///< of the input that is done, where its size is known
  std::string output;              ///< what is being written, such as "shard 3"; may be empty
};

/// Is notified on the thread that runs the work. What it throws ends the run.
class RunListener {
 public:
  virtual ~RunListener() = default;

  /// A fact worth a line: what was found, cut or skipped. An empty line is none.
  virtual void note(const std::string& /*line*/) {}

  /// Called often; whoever shows it decides when. `first_fraction` of the input was done by an
  /// earlier run.
  virtual void progressed(const RunProgress& /*progress*/, double /*first_fraction*/) {}

  /// The work that progressed() was called for has ended, or failed.
  virtual void progress_ended() {}
};

/// Ends the listener's progress at the end of a scope.
class ProgressScope {
 public:
  explicit ProgressScope(RunListener& listener) : listener_(listener) {}
  ~ProgressScope() { listener_.progress_ended(); }
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;

 private:
  RunListener& listener_;
};

}  // namespace elmo

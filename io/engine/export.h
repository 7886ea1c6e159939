// Exports a run as arrays, records or a stream, without computing it again.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "io/dtype.h"
#include "io/engine/listener.h"
#include "io/engine/mix.h"
#include "io/outputs/outputs.h"

namespace elmo {

struct ExportRequest {
  std::string run;
  std::string output;  ///< file; empty: standard output
  const OutputFormat* format = &output_format("npy");
  std::optional<LayerSelection> layers;  ///< nothing: as in the run
  EmbedOptions mixing;                   ///< how layers are mixed, without `task`
  TaskMixRequest task;                   ///< the task model of the mixture
  std::optional<Dtype> dtype;            ///< nothing: the run's
  bool overwrite = false;
};

/// Writes all sentences and returns the number of their tokens. `stream` is written if the request
/// names no output. Returns nothing, and writes no files, if `stop` became true. Errors: as RunRows
/// and the sinks; RequestError for an output in the run itself, for a form that is not one of
/// streams, and for a dtype that it cannot hold.
std::optional<std::uint64_t> run_export(const ExportRequest& request, Stream* stream,
                                        RunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo

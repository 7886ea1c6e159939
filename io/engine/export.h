// Exports a run as arrays, records or a stream, without computing it again.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "core/enum_table.h"
#include "io/dtype.h"
#include "io/engine/listener.h"
#include "io/engine/mixing.h"
#include "io/sinks/stream_sinks.h"

namespace elmo {

/// In a file, npy and safetensors are arrays that can be mapped into memory, and jsonl is a line
/// per sentence. On standard output, npy is an array per sentence, and safetensors is refused.
enum class ExportFormat { npy, jsonl, safetensors };
inline constexpr auto kExportFormats =
    enum_table<ExportFormat>({{"npy", ExportFormat::npy},
                              {"jsonl", ExportFormat::jsonl},
                              {"safetensors", ExportFormat::safetensors}});

struct ExportRequest {
  GivenOptions given;
  std::string run;
  std::string output;  ///< file; empty: standard output
  ExportFormat format = ExportFormat::npy;
  std::optional<LayerSelection> layers;  ///< nothing: as in the run
  EmbedOptions mixing;                   ///< how layers are mixed, without `task`
  TaskMixRequest task;                   ///< the task model of the mixture
  std::optional<Dtype> dtype;            ///< nothing: the run's
  bool overwrite = false;
  bool quiet = false;
};

/// Throws RequestError for options that cannot be combined, or for an output in the run itself.
void validate(const ExportRequest& request);

/// Writes all sentences and returns the number of their tokens. `standard_output` is written if
/// the request names no output. Returns nothing, and writes no files, if `stop` became true.
/// REQUIRES: validate(request) passed. Errors: as RunRows and the sinks; RequestError for a dtype
/// that the output cannot hold.
std::optional<std::uint64_t> run_export(const ExportRequest& request, Stream& standard_output,
                                        RunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo

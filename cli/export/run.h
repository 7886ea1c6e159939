// Exports a run as arrays, records or a stream, without computing it again.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "cli/common/listener.h"
#include "cli/common/task_mix.h"
#include "io/dtype.h"
#include "io/sinks/stream_sinks.h"

namespace elmo {

enum class ArrayFormat { npy, safetensors };
/// Arrays that can be mapped into memory, in a few files.
struct ArrayOutput {
  std::string path;
  ArrayFormat format = ArrayFormat::npy;
  bool overwrite = false;
};
/// A file with a line of JSON per sentence.
struct RecordOutput {
  std::string path;
  bool overwrite = false;
};

struct ExportRequest {
  std::string run;
  std::optional<LayerMixing> layers;  ///< nothing: as in the run
  std::optional<Dtype> dtype;         ///< nothing: the run's
  std::variant<ArrayOutput, RecordOutput, SentenceStream> output;
};

/// Writes all sentences and returns the number of their tokens. Returns nothing, and writes no
/// files, if `stop` became true. Errors: as RunRows and the sinks; RequestError for a dtype that
/// the output cannot hold.
std::optional<std::uint64_t> run_export(const ExportRequest& request, RunListener& listener,
                                        const std::atomic<bool>& stop);

}  // namespace elmo

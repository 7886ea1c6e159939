// The estimated cost of embedding an input. The whole input is counted, and a sample of it is
// computed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/kernels/precision.h"
#include "io/dtype.h"
#include "io/engine/embed/request.h"
#include "io/engine/listener.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// The estimated cost of embedding an input.
struct RunPlan {
  InputCounters input;  ///< counted while reading
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t computed_tokens = 0;  ///< tokens of the sentences that have a row
  std::uint64_t rows = 0;  ///< rows of the output: all or selected tokens, pooled units, or words
  bool rows_are_tokens = true;
  std::uint64_t bytes = 0;  ///< size of the output
  int threads = 0;
  bool divisible = false;  ///< the run can be divided into parts
  /// Time to read the input if most of it is skipped. Otherwise 0, since reading overlaps
  /// computing.
  double reading_seconds = 0;

  /// Size of shards with one choice of layers and dtype.
  struct Size {
    std::string layers;  ///< "all"; "top, average or mix"
    Dtype dtype = Dtype::float32;
    std::uint64_t bytes = 0;
    std::uint64_t gzip_bytes = 0;                  ///< size with compression gzip
    std::optional<std::uint64_t> zstd_bytes = {};  ///< nothing if HDF5 lacks zstd
  };
  std::vector<Size> sizes;  ///< empty with selected or pooled rows

  /// Speed of one precision with `threads` threads. The precision of the request comes first.
  struct Speed {
    Precision precision = Precision::float32;
    double tokens_per_second = 0;
    double seconds = 0;
  };
  std::vector<Speed> speeds;  ///< like `sizes`, empty if there is no token to time
};

/// Reads the whole input and computes its beginning without keeping the results. Writes a few of
/// these sentences into a temporary folder, in the request's form and as compressed shards of every
/// kind, and scales the sizes of these files. Also times the other precisions. REQUIRES:
/// validate(request) passed. Errors: as EmbedSetup, embed(), ScratchFolder and the sinks.
RunPlan dry_run(const EmbedRequest& request, RunListener& listener);

}  // namespace elmo

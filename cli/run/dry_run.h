// `elmo embed --dry-run`: what a run would take, from its whole input counted and a sample of it
// computed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/embed_request.h"
#include "cli/run/listener.h"
#include "core/kernels/precision.h"
#include "io/dtype.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// What embedding an input would take.
struct RunPlan {
  InputCounters input;  ///< what reading found
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t computed_tokens = 0;  ///< of the sentences that have a row
  std::uint64_t rows = 0;             ///< of the output: tokens, or what is made or kept of them
  bool rows_are_tokens = true;
  std::uint64_t bytes = 0;  ///< of the output
  int threads = 0;
  double reading_seconds = 0;  ///< where most of the text is passed over; else it takes no time

  /// Shards of one choice of layers and numbers.
  struct Size {
    std::string layers;  ///< "all"; "top, average or mix"
    Dtype dtype = Dtype::float32;
    std::uint64_t bytes = 0;
    std::uint64_t gzip_bytes = 0;                  ///< with --compression gzip
    std::optional<std::uint64_t> zstd_bytes = {};  ///< nothing where HDF5 has no zstd
  };
  std::vector<Size> sizes;

  /// Computing in one precision on these threads; that of the request stands first.
  struct Speed {
    Precision precision = Precision::float32;
    double tokens_per_second = 0;
    double seconds = 0;
  };
  std::vector<Speed> speeds;  ///< neither has any where there is no token to time
};

/// Reads the whole input, computes the beginning of it without keeping the results, and writes a
/// few sentences of that, in the request's form and as shards of every kind, into a temporary
/// folder: sizes are scaled from those files. Other precisions are timed, too. Errors: as
/// EmbedInput, load_embed_model, embed(), ScratchFolder and the sinks.
RunPlan dry_run(const EmbedRequest& request, RunListener& listener);

}  // namespace elmo

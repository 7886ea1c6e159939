// What a run would take, by what is chosen: the tables of a dry run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/kernels/precision.h"
#include "io/dtype.h"

namespace elmo {

/// What embedding an input would take.
struct RunPlan {
  std::uint64_t documents = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t rows = 0;   ///< of the output: tokens, or what is made or kept of them
  std::uint64_t bytes = 0;  ///< of what was asked for, before compression
  int threads = 0;

  /// Shards of one choice of layers and numbers.
  struct Size {
    std::string layers;  ///< "all"; "top, average or mix"
    Dtype dtype = Dtype::float32;
    std::uint64_t bytes = 0;
    std::uint64_t gzip_bytes = 0;                  ///< with --compression gzip
    std::optional<std::uint64_t> zstd_bytes = {};  ///< nothing where HDF5 has no zstd
  };
  std::vector<Size> sizes;

  /// Computing in one precision on these threads; that which was asked for stands first.
  struct Speed {
    Precision precision = Precision::float32;
    double tokens_per_second = 0;
    double seconds = 0;
    std::optional<double> price = {};
  };
  std::vector<Speed> speeds;  ///< neither has any where there is no token to time
};

/// Into how many parts of about half an hour each so many seconds are best cut; 1 where they are
/// too few for two.
std::uint64_t wise_parts(double seconds);

/// Tables of what shards of other layers and numbers would take, and other precisions.
std::string plan_tables(const RunPlan& plan);
/// The plan as JSON.
std::string plan_json(const RunPlan& plan);

}  // namespace elmo

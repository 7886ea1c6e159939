// All activations of a run as a few arrays, in files that can be mapped into memory: `activations`
// [N, R, W], `offsets` [S+1], and for int8 `scales` float32 [N, R]. Sentence s has the rows
// offsets[s] to offsets[s+1] - 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/activations.h"
#include "io/dtype.h"
#include "io/files/atomic_file.h"
#include "io/outputs/output_format.h"

namespace elmo {

/// Returns the header of a row-major array of that element and shape; its size is a multiple of 64.
/// Format: NumPy Enhancement Proposal 1, version 1.0.
std::string npy_header(std::string_view element, std::span<const std::uint64_t> shape);

/// Writes the arrays, the activations rounded to the dtype. Files get their final names when the
/// run is finished; unpublished files are removed. std::logic_error if the run differs from the
/// shapes; SystemError. One thread.
class ArraySink : public OutputSink {
 public:
  void write(const ActivationBatch& batch) final;
  void finish() final;

 protected:
  /// REQUIRES: rows.counts is known.
  explicit ArraySink(const OutputRows& rows);

 private:
  // Each array is appended in order, the arrays in any order. The constructor appends offset 0.
  virtual void append_activations(std::span<const std::byte> rows) = 0;
  virtual void append_scales(std::span<const float> scales) = 0;
  virtual void append_offset(std::uint64_t offset) = 0;
  virtual void publish() = 0;

  RowCounts counts_;
  std::size_t row_values_;  // R · W
  Encoder encoder_;
  std::uint64_t tokens_ = 0;
  std::uint64_t sentences_ = 0;
};

/// Starts a file that will become `path`. RequestError if the file exists and `overwrite` is false;
/// otherwise as AtomicFile.
AtomicFile begin_file(const std::filesystem::path& path, bool overwrite);

/// The arrays as .npy files: the activations at target.path, the others next to it:
/// vectors.offsets.npy and vectors.scales.npy for vectors.npy. Not for bfloat16. Old activations
/// are removed first and the new ones get their name last, so that a reader who finds activations
/// also finds their offsets and scales. Old scales are removed if there are no new ones. Errors as
/// begin_file.
std::unique_ptr<OutputSink> make_npy_files(const OutputTarget& target, const OutputRows& rows);

/// The arrays as tensors of one safetensors file: a JSON header, then the numbers. `offsets` are
/// I64, a type that PyTorch has. The names of the rows ("layers") and rows.about are stored in its
/// __metadata__. Errors as begin_file.
std::unique_ptr<OutputSink> open_safetensors(const OutputTarget& target, const OutputRows& rows);

}  // namespace elmo

// All activations of a run as a few arrays, in files that can be mapped into memory: `activations`
// [N, R, W], `offsets` [S+1], and for int8 `scales` float32 [N, R]. Sentence s has the rows
// offsets[s] to offsets[s+1] - 1.
#pragma once

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
#include "io/provenance.h"

namespace elmo {

/// Returns the header of a row-major array of that element and shape; its size is a multiple of 64.
/// Format: NumPy Enhancement Proposal 1, version 1.0.
std::string npy_header(std::string_view element, std::span<const std::uint64_t> shape);

/// The sizes of a run, known before its first row.
struct ArrayShapes {
  ActivationLayout layout;
  Dtype dtype = Dtype::float32;
  std::uint64_t tokens = 0;     ///< N
  std::uint64_t sentences = 0;  ///< S

  std::vector<std::uint64_t> activations() const;
  std::vector<std::uint64_t> scales() const;
  std::vector<std::uint64_t> offsets() const { return {sentences + 1}; }
};

/// Writes the arrays, the activations rounded to the dtype. Files get their final names when the
/// run is finished; unpublished files are removed. std::logic_error if the run differs from the
/// shapes; SystemError. One thread.
class ArraySink : public ActivationSink {
 public:
  void write(const ActivationBatch& batch) final;
  void finish() final;

  /// As AtomicFile::warning.
  virtual std::string warning() const = 0;

 protected:
  explicit ArraySink(ArrayShapes shapes);

 private:
  // Each array is appended in order, the arrays in any order. The constructor appends offset 0.
  virtual void append_activations(std::span<const std::byte> rows) = 0;
  virtual void append_scales(std::span<const float> scales) = 0;
  virtual void append_offset(std::uint64_t offset) = 0;
  virtual void publish() = 0;

  ArrayShapes shapes_;
  Encoder encoder_;
  std::uint64_t tokens_ = 0;
  std::uint64_t sentences_ = 0;
};

/// Starts a file that will become `path`. RequestError if the file exists and `overwrite` is false;
/// otherwise as AtomicFile.
AtomicFile begin_file(const std::filesystem::path& path, bool overwrite);

/// The arrays as .npy files: the activations at `path`, the others next to it: vectors.offsets.npy
/// and vectors.scales.npy for vectors.npy. Not for bfloat16. Old activations are removed first and
/// the new ones get their name last, so that whoever finds activations finds the files that belong
/// to them. Old scales are removed if there are no new ones. Errors as begin_file.
std::unique_ptr<ArraySink> make_npy_files(const std::filesystem::path& path,
                                          const ArrayShapes& shapes, bool overwrite);

/// The arrays as tensors of one safetensors file: a JSON header, then the numbers. `offsets` are
/// I64, a type that PyTorch has. The names of the rows ("layers") and `about` are stored in its
/// __metadata__. Errors as begin_file.
std::unique_ptr<ArraySink> make_safetensors_file(const std::filesystem::path& path,
                                                 const ArrayShapes& shapes, const Provenance& about,
                                                 bool overwrite);

}  // namespace elmo

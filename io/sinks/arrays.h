// All activations of a run as a few arrays in files that can be mapped into memory: `activations`
// [N, R, W], `offsets` [S+1], where sentence s has the rows offsets[s] to offsets[s+1] - 1, and for
// int8 `scales` float32 [N, R].
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/inference/sink.h"
#include "io/dtype.h"
#include "io/files/atomic_file.h"
#include "io/fingerprint.h"

namespace elmo {

/// What is known of a run before its first row.
struct ArrayShapes {
  ActivationLayout layout;
  Dtype dtype = Dtype::float32;
  std::uint64_t tokens = 0;     ///< N
  std::uint64_t sentences = 0;  ///< S

  std::vector<std::uint64_t> activations() const;
  std::vector<std::uint64_t> scales() const;
  std::vector<std::uint64_t> offsets() const { return {sentences + 1}; }
};

/// Where the arrays go, each from its first byte to its last, whichever first. Files get their
/// names when all is there; what is not published is removed. Errors: SystemError. One thread.
class ArrayFiles {
 public:
  virtual ~ArrayFiles() = default;

  virtual void append_activations(std::span<const std::byte> rows) = 0;
  virtual void append_scales(std::span<const float> scales) = 0;
  virtual void append_offset(std::uint64_t offset) = 0;
  virtual void publish() = 0;

  /// Warning if the file system has no locks, else empty.
  virtual std::string warning() const = 0;
};

/// Begins a file that is to be `path`. RequestError where one is there that is not to be
/// overwritten; else as AtomicFile.
AtomicFile begin_file(const std::filesystem::path& path, bool overwrite);

/// The arrays as .npy files: the activations at `path`, the others beside it: for vectors.npy
/// vectors.offsets.npy and vectors.scales.npy. Not for bfloat16. Older
/// activations are removed first and the new ones get their name last, so whoever finds some finds
/// all that belongs to them; older scales are removed where there are none. Errors as begin_file.
std::unique_ptr<ArrayFiles> make_npy_files(const std::filesystem::path& path,
                                           const ArrayShapes& shapes, bool overwrite);

/// The arrays as tensors of one safetensors file: a header in JSON, and the numbers; `offsets` are
/// I64, which PyTorch has. Names of the rows ("layers") and `about` are its __metadata__. Errors as
/// begin_file.
std::unique_ptr<ArrayFiles> make_safetensors_file(const std::filesystem::path& path,
                                                  const ArrayShapes& shapes,
                                                  const RunFingerprint& about, bool overwrite);

/// Rounds what it is given to the dtype and hands it to the files, which are published when the run
/// is finished. std::logic_error where there is more or less than the shapes say. One thread.
class ArraySink final : public ActivationSink {
 public:
  /// `files` has to outlive it.
  ArraySink(ArrayFiles& files, ArrayShapes shapes);

  void write(const ActivationBatch& batch) override;
  void end_segment(const SegmentEnd&) override {}
  void finish() override;

 private:
  ArrayFiles& files_;
  ArrayShapes shapes_;
  Encoder encoder_;
  std::uint64_t tokens_ = 0;
  std::uint64_t sentences_ = 0;
};

}  // namespace elmo

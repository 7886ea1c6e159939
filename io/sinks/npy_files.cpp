#include <optional>
#include <utility>

#include "core/error.h"
#include "io/files/lock.h"
#include "io/files/paths.h"
#include "io/sinks/arrays.h"
#include "io/sinks/npy_header.h"

namespace elmo {
namespace {

/// Returns vectors.scales.npy for vectors.npy and "scales".
std::filesystem::path beside(std::filesystem::path path, const std::string& name) {
  if (path.extension() == ".npy") path.replace_extension();
  path += "." + name + ".npy";
  return path;
}

class NpyFiles final : public ArrayFiles {
 public:
  NpyFiles(const std::filesystem::path& path, const ArrayShapes& shapes, bool overwrite)
      : activations_(begin_file(path, overwrite)),
        offsets_(begin_file(beside(path, "offsets"), overwrite)),
        scales_path_(beside(path, "scales")) {
    activations_.append(npy_header(npy_element(shapes.dtype), shapes.activations()));
    offsets_.append(npy_header(kNpyUint64, shapes.offsets()));
    if (shapes.dtype != Dtype::int8) {
      if (!overwrite && std::filesystem::exists(scales_path_)) {
        throw RequestError(scales_path_.string() + " exists", Remedy::replace_file);
      }
      return;
    }
    scales_.emplace(begin_file(scales_path_, overwrite));
    scales_->append(npy_header(npy_element(Dtype::float32), shapes.scales()));
  }

  void append_activations(std::span<const std::byte> rows) override { activations_.append(rows); }
  void append_scales(std::span<const float> scales) override {
    if (scales_) scales_->append(std::as_bytes(scales));
  }
  void append_offset(std::uint64_t offset) override {
    offsets_.append(std::as_bytes(std::span(&offset, 1)));
  }
  void publish() override {
    // All files are complete before the first one gets its name.
    activations_.sync();
    if (scales_) scales_->sync();
    offsets_.sync();
    // The activations' name marks a complete set: old activations never appear with new offsets.
    remove_path(activations_.path());
    const std::filesystem::path folder = activations_.path().parent_path();
    sync_folder(folder.empty() ? "." : folder);
    offsets_.publish();
    if (scales_) {
      scales_->publish();
    } else {
      remove_path(scales_path_);  // old scales would be applied to the new numbers
    }
    activations_.publish();
  }
  std::string warning() const override {
    return activations_.locked() ? "" : no_lock_warning(activations_.path());
  }

 private:
  AtomicFile activations_;
  AtomicFile offsets_;
  std::filesystem::path scales_path_;
  std::optional<AtomicFile> scales_;  ///< int8 only
};

}  // namespace

std::unique_ptr<ArrayFiles> make_npy_files(const std::filesystem::path& path,
                                           const ArrayShapes& shapes, bool overwrite) {
  return std::make_unique<NpyFiles>(path, shapes, overwrite);
}

}  // namespace elmo

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "core/enum_table.h"
#include "io/files/descriptor.h"
#include "io/files/lock.h"
#include "io/json/json.h"
#include "io/sinks/arrays.h"

namespace elmo {
namespace {

constexpr std::size_t kHeaderAlignment = 8;
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

/// The format's names of the types.
constexpr auto kElementNames = enum_table<Dtype>({{"F32", Dtype::float32},
                                                  {"F16", Dtype::float16},
                                                  {"BF16", Dtype::bfloat16},
                                                  {"I8", Dtype::int8}});

std::uint64_t product(const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  return count;
}

/// Writes the bytes of a file from an offset on.
class Region {
 public:
  Region(const AtomicFile& file, std::uint64_t begin)
      : path_(file.path()), descriptor_(open_descriptor(file.temporary_path(), O_WRONLY)) {
    if (::lseek(descriptor_.get(), static_cast<off_t>(begin), SEEK_SET) < 0) {
      refuse("write", path_, errno);
    }
  }

  void append(std::span<const std::byte> bytes) {
    block_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (block_.size() >= kBufferBytes) flush();
  }
  void flush() {
    if (!write_all(descriptor_.get(), block_)) refuse("write", path_, errno);
    block_.clear();
  }

 private:
  std::filesystem::path path_;
  Descriptor descriptor_;
  std::string block_;
};

/// Tensors are ordered by alignment, as in the reference writer, and have no gaps, which readers
/// refuse. The offset of each tensor is known, so all can be written at once.
class SafetensorsFile final : public ArrayFiles {
 public:
  SafetensorsFile(const std::filesystem::path& path, const ArrayShapes& shapes,
                  const RunFingerprint& about, bool overwrite)
      : file_(begin_file(path, overwrite)) {
    Json header;
    Json& metadata = header["__metadata__"];
    std::string layers;
    for (const std::string& row : shapes.layout.rows) layers += (layers.empty() ? "" : ",") + row;
    metadata["layers"] = layers;
    for (const auto& [name, value] : about) metadata[name] = value;
    std::uint64_t end = 0;
    const auto add = [&](const char* name, std::string_view element, std::size_t bytes,
                         const std::vector<std::uint64_t>& shape) {
      const std::uint64_t begin = end;
      end += product(shape) * bytes;
      header[name] = {{"dtype", element}, {"shape", shape}, {"data_offsets", {begin, end}}};
      return begin;
    };
    const std::uint64_t offsets = add("offsets", "I64", sizeof(std::uint64_t), shapes.offsets());
    const bool scaled = shapes.dtype == Dtype::int8;
    const std::uint64_t scales =
        scaled ? add("scales", "F32", sizeof(float), shapes.scales()) : end;
    const std::uint64_t activations = add("activations", kElementNames.word(shapes.dtype),
                                          dtype_bytes(shapes.dtype), shapes.activations());
    std::string text = header.dump();
    text.append((kHeaderAlignment - text.size() % kHeaderAlignment) % kHeaderAlignment, ' ');
    const std::uint64_t length = text.size();
    file_.append(std::as_bytes(std::span(&length, 1)));
    file_.append(text);
    file_.flush();
    const std::uint64_t data = sizeof(length) + length;
    offsets_.emplace(file_, data + offsets);
    scales_.emplace(file_, data + scales);
    activations_.emplace(file_, data + activations);
  }

  void append_activations(std::span<const std::byte> rows) override { activations_->append(rows); }
  void append_scales(std::span<const float> scales) override {
    scales_->append(std::as_bytes(scales));
  }
  void append_offset(std::uint64_t offset) override {
    offsets_->append(std::as_bytes(std::span(&offset, 1)));
  }
  void publish() override {
    for (std::optional<Region>* region : {&offsets_, &scales_, &activations_}) (*region)->flush();
    file_.publish();
  }
  std::string warning() const override {
    return file_.locked() ? "" : no_lock_warning(file_.path());
  }

 private:
  AtomicFile file_;
  std::optional<Region> offsets_, scales_, activations_;
};

}  // namespace

std::unique_ptr<ArrayFiles> make_safetensors_file(const std::filesystem::path& path,
                                                  const ArrayShapes& shapes,
                                                  const RunFingerprint& about, bool overwrite) {
  return std::make_unique<SafetensorsFile>(path, shapes, about, overwrite);
}

}  // namespace elmo

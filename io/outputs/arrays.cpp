// All activations of a run as a few arrays.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <stdexcept>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "io/dtype.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/json/json.h"
#include "io/outputs/sinks.h"

namespace elmo {
namespace {

constexpr std::size_t kDataAlignment = 64;  // the data begins at a multiple of it

}  // namespace

/// A header has a magic string, a version, the length of the description, and the description: a
/// Python dictionary, padded with spaces and ended by a newline.
std::string npy_header(std::string_view element, std::span<const std::uint64_t> shape) {
  std::string description = "{'descr': '";
  description += element;
  description += "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t size : shape) {
    description += std::to_string(size);
    description += shape.size() == 1 ? "," : ", ";
  }
  if (shape.size() > 1) description.resize(description.size() - 2);
  description += "), }";
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
  const std::size_t before = kMagic.size() + 2;
  const std::size_t length = before + description.size() + 1;
  description.append((kDataAlignment - length % kDataAlignment) % kDataAlignment, ' ');
  description += '\n';
  std::string text(kMagic);
  text += static_cast<char>(description.size() & 0xFF);
  text += static_cast<char>(description.size() >> 8);
  return text + description;
}

namespace {

// Size of the pieces that are converted at once: they stay in the cache until they are written.
constexpr std::size_t kArrayPieceBytes = std::size_t{256} << 10;

/// The shapes of the arrays of a run.
struct ArrayShapes {
  explicit ArrayShapes(const OutputRows& rows)
      : activations{rows.counts->tokens, static_cast<std::uint64_t>(rows.layout.row_count()),
                    static_cast<std::uint64_t>(rows.layout.width)},
        scales{activations[0], activations[1]},
        offsets{rows.counts->sentences + 1} {}

  std::vector<std::uint64_t> activations;
  std::vector<std::uint64_t> scales;
  std::vector<std::uint64_t> offsets;
};

}  // namespace

AtomicFile begin_file(const std::filesystem::path& path, bool overwrite) {
  AtomicFile file(path);
  // Checked under the lock, so that nobody else can publish the file meanwhile.
  if (!overwrite && std::filesystem::exists(file.path())) {
    throw RequestError(path.string() + " exists", Remedy{"replace_file"});
  }
  return file;
}

namespace {

/// Writes the arrays, the activations rounded to the dtype.
class ArraySink : public OutputSink {
 public:
  void write(const ActivationBatch& batch) final {
    for (const Sentence& sentence : batch.sentences) {
      tokens_ += sentence.size();
      append_offset(tokens_);
    }
    sentences_ += batch.sentences.size();
    const std::size_t piece =
        std::max<std::size_t>(1, kArrayPieceBytes / sizeof(float) / row_values_) * row_values_;
    for (std::size_t begin = 0; begin < batch.activations.size(); begin += piece) {
      const std::size_t count = std::min(piece, batch.activations.size() - begin);
      append_activations(encoder_.encode(batch.activations.subspan(begin, count)));
      append_scales(encoder_.scales());
    }
  }

  void finish() final {
    if (tokens_ != counts_.tokens || sentences_ != counts_.sentences) {
      throw std::logic_error("a run has another size than it was said to have");
    }
    publish();
  }

 protected:
  /// REQUIRES: rows.counts is known.
  explicit ArraySink(const OutputRows& rows)
      : counts_(rows.counts.value()),
        row_values_(static_cast<std::size_t>(rows.layout.values_per_token())),
        encoder_(rows.dtype, static_cast<std::size_t>(rows.layout.width)) {}

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

/// Returns vectors.scales.npy for vectors.npy and "scales".
std::filesystem::path beside(std::filesystem::path path, const std::string& name) {
  if (path.extension() == ".npy") path.replace_extension();
  path += "." + name + ".npy";
  return path;
}

class NpyFiles final : public ArraySink {
 public:
  NpyFiles(const OutputTarget& target, const OutputRows& rows)
      : ArraySink(rows),
        activations_(begin_file(target.path, target.overwrite)),
        offsets_(begin_file(beside(target.path, "offsets"), target.overwrite)),
        scales_path_(beside(target.path, "scales")) {
    const ArrayShapes shapes(rows);
    activations_.append(npy_header(format_of(rows.dtype).npy, shapes.activations));
    offsets_.append(npy_header("<u8", shapes.offsets));
    append_offset(0);
    if (!format_of(rows.dtype).has_scales) {
      if (!target.overwrite && std::filesystem::exists(scales_path_)) {
        throw RequestError(scales_path_.string() + " exists", Remedy{"replace_file"});
      }
      return;
    }
    scales_.emplace(begin_file(scales_path_, target.overwrite));
    scales_->append(npy_header(format_of(Dtype::float32).npy, shapes.scales));
  }

  std::string warning() const override { return activations_.warning(); }

 private:
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
    // The activations get their name last, which marks a complete set: old activations never appear
    // with new offsets.
    remove_path(activations_.path());
    sync_folder(activations_.path().parent_path());
    offsets_.publish();
    if (scales_) {
      scales_->publish();
    } else {
      remove_path(scales_path_);  // old scales would be applied to the new numbers
    }
    activations_.publish();
  }

  AtomicFile activations_;
  AtomicFile offsets_;
  std::filesystem::path scales_path_;
  std::optional<AtomicFile> scales_;  ///< int8 only
};

}  // namespace

std::unique_ptr<OutputSink> make_npy_files(const OutputTarget& target, const OutputRows& rows) {
  return std::make_unique<NpyFiles>(target, rows);
}

namespace {

constexpr std::size_t kHeaderAlignment = 8;
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

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
class SafetensorsFile final : public ArraySink {
 public:
  SafetensorsFile(const OutputTarget& target, const OutputRows& rows)
      : ArraySink(rows), file_(begin_file(target.path, target.overwrite)) {
    const ArrayShapes shapes(rows);
    const DtypeFormat& dtype = format_of(rows.dtype);
    Json header;
    Json& metadata = header["__metadata__"];
    metadata["layers"] = joined(rows.layout.rows, ",");
    for (const auto& [name, value] : rows.about) metadata[name] = value;
    std::uint64_t end = 0;
    const auto add = [&](const char* name, std::string_view element, std::size_t bytes,
                         const std::vector<std::uint64_t>& shape) {
      const std::uint64_t begin = end;
      end += product(shape) * bytes;
      header[name] = {{"dtype", element}, {"shape", shape}, {"data_offsets", {begin, end}}};
      return begin;
    };
    const std::uint64_t offsets = add("offsets", "I64", sizeof(std::uint64_t), shapes.offsets);
    const bool scaled = dtype.has_scales;
    const std::uint64_t scales = scaled ? add("scales", "F32", sizeof(float), shapes.scales) : end;
    const std::uint64_t activations =
        add("activations", dtype.safetensors, dtype.bytes, shapes.activations);
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
    append_offset(0);
  }

  std::string warning() const override { return file_.warning(); }

 private:
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

  AtomicFile file_;
  std::optional<Region> offsets_, scales_, activations_;
};

}  // namespace

std::unique_ptr<OutputSink> open_safetensors(const OutputTarget& target, const OutputRows& rows) {
  return std::make_unique<SafetensorsFile>(target, rows);
}

}  // namespace elmo

#include "io/model/tensorflow_bundle.h"

#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/files/paths.h"
#include "io/h5/dataset.h"
#include "io/model/tensorflow_table.h"
#include "io/text/segment/utf8.h"

namespace elmo::tensorflow {
namespace {

/// Maximum size of a shard in an archive. The original model's, with its softmax and optimizer
/// state, has 4 GB.
constexpr std::uint64_t kMaxShardBytes = std::uint64_t{1} << 36;

constexpr std::size_t kShardDigits = 5;        // digits of a shard's number in file names
constexpr std::uint64_t kMaxShards = 100'000;  // number of shards that such names can have
constexpr std::uint64_t kFormat = 1;
constexpr std::size_t kMaxDimensions = 254;  // TensorFlow's limit

constexpr std::uint64_t kFloat32 = 1;
constexpr std::uint64_t kFloat64 = 2;

std::string type_name(std::uint64_t type) {
  switch (type) {
    case kFloat32:
      return "float32";
    case kFloat64:
      return "float64";
    case 3:
      return "int32";
    case 9:
      return "int64";
    case 14:
      return "bfloat16";
    case 19:
      return "float16";
    default:
      return "of type " + std::to_string(type);
  }
}

/// A field of a protocol buffer.
struct MessageField {
  std::uint64_t number = 0;
  std::uint64_t value = 0;   // a varint, or 32 bits
  std::string_view content;  // text or a message
};

/// Returns the first field and removes it from `bytes`; nothing if they do not begin with a field.
std::optional<MessageField> take_field(std::string_view& bytes) {
  enum Wire : std::uint64_t { kVarint = 0, kEightBytes = 1, kContent = 2, kFourBytes = 5 };
  const std::optional<std::uint64_t> tag = take_varint(bytes);
  if (!tag) return std::nullopt;
  const std::uint64_t wire = *tag & 7U;
  MessageField field{*tag >> 3U, 0, {}};
  std::uint64_t size = wire == kEightBytes ? 8 : wire == kFourBytes ? 4 : 0;
  if (wire == kVarint || wire == kContent) {
    const std::optional<std::uint64_t> number = take_varint(bytes);
    if (!number) return std::nullopt;
    field.value = *number;
    if (wire == kContent) size = *number;
  } else if (size == 0) {
    return std::nullopt;
  }
  if (size > bytes.size()) return std::nullopt;
  field.content = bytes.substr(0, size);
  bytes.remove_prefix(size);
  if (wire == kFourBytes) {
    for (std::size_t i = 4; i-- > 0;) {
      field.value = field.value << 8U | static_cast<unsigned char>(field.content[i]);
    }
  }
  return field;
}

/// Calls `take` with each field. Returns false if the bytes are not a message, or if `take` returns
/// false.
template <typename Take>
bool for_each_field(std::string_view bytes, const Take& take) {
  while (!bytes.empty()) {
    const std::optional<MessageField> field = take_field(bytes);
    if (!field || !take(*field)) return false;
  }
  return true;
}

bool parse_shape(std::string_view bytes, std::vector<std::uint64_t>& shape) {
  return for_each_field(bytes, [&](const MessageField& field) {
    if (field.number != 2) return true;
    std::uint64_t extent = 0;
    shape.push_back(0);
    const bool valid = for_each_field(field.content, [&](const MessageField& part) {
      if (part.number == 1) extent = part.value;
      return true;
    });
    shape.back() = extent;
    return valid && shape.size() <= kMaxDimensions;
  });
}

/// Parses a BundleEntryProto.
std::optional<Variable> parse_variable(std::string_view bytes) {
  Variable variable;
  const bool valid = for_each_field(bytes, [&](const MessageField& field) {
    switch (field.number) {
      case 1:
        variable.type = field.value;
        break;
      case 2:
        variable.shape.clear();
        return parse_shape(field.content, variable.shape);
      case 3:
        variable.shard = field.value;
        break;
      case 4:
        variable.offset = field.value;
        break;
      case 5:
        variable.bytes = field.value;
        break;
      case 6:
        variable.checksum = static_cast<std::uint32_t>(field.value);
        break;
      case 7:
        variable.is_partitioned = true;
        break;
      default:
        break;
    }
    return true;
  });
  return valid ? std::optional(std::move(variable)) : std::nullopt;
}

std::size_t size_of(std::uint64_t type) {
  return type == kFloat32 ? sizeof(float) : sizeof(double);
}

void copy_numbers(std::span<const std::byte> from, std::uint64_t type, std::span<float> to) {
  if (type == kFloat32) {
    std::memcpy(to.data(), from.data(), from.size());
    return;
  }
  for (float& value : to) {
    double number = 0;
    std::memcpy(&number, from.data(), sizeof number);
    value = static_cast<float>(number);
    from = from.subspan(sizeof number);
  }
}

}  // namespace

Bundle::Bundle(const ModelFile& index) : index_(index), name_(index.name()) {
  const std::string bytes = index.content(kMaxTableBytes);
  bool has_header = false;
  for (const auto& [key, value] : read_table(bytes, name_)) {
    if (key.empty()) {
      read_header(value);
      has_header = true;
      continue;
    }
    std::optional<Variable> variable = parse_variable(value);
    if (!variable) {
      refuse("the entry of " + excerpt(escaped_name(key)) + " cannot be parsed",
             "a BundleEntryProto");
    }
    variables_.emplace(key, *std::move(variable));
  }
  if (!has_header) refuse("has no entry with an empty name", "one with the number of shards");
}

void Bundle::refuse(const std::string& found, const std::string& expected) const {
  throw InputError(name_ + ": " + found + "; expected " + expected);
}

void Bundle::read_header(std::string_view value) {
  std::uint64_t byte_order = 0;
  std::uint64_t oldest_reader = 0;
  const bool valid = for_each_field(value, [&](const MessageField& field) {
    if (field.number == 1) shard_count_ = field.value;
    if (field.number == 2) byte_order = field.value;
    if (field.number != 3) return true;
    return for_each_field(field.content, [&](const MessageField& part) {
      if (part.number == 2) oldest_reader = part.value;
      return true;
    });
  });
  if (!valid) refuse("the entry with an empty name cannot be parsed", "a BundleHeaderProto");
  if (byte_order != 0) refuse("its numbers are big-endian", "little-endian ones");
  if (oldest_reader > kFormat) {
    refuse("needs readers of format " + std::to_string(oldest_reader),
           "format " + std::to_string(kFormat));
  }
  if (shard_count_ == 0 || shard_count_ > kMaxShards) {
    refuse("has " + std::to_string(shard_count_) + " shards", "1 to " + std::to_string(kMaxShards));
  }
}

const Variable& Bundle::find(const std::string& variable,
                             const std::vector<std::uint64_t>& shape) const {
  const auto found = variables_.find(variable);
  const std::string expected = "float32 " + h5::shape_text(shape);
  if (found == variables_.end()) refuse(variable + " is missing", expected);
  const Variable& entry = found->second;
  if (entry.is_partitioned) {
    refuse(variable + " is partitioned", "a variable in one part; save it without partitioner");
  }
  const bool is_float = entry.type == kFloat32 || entry.type == kFloat64;
  if (!is_float || entry.shape != shape) {
    refuse(variable + " is " + type_name(entry.type) + " " + h5::shape_text(entry.shape),
           expected + ", as the model's options and vocabulary say");
  }
  std::uint64_t bytes = size_of(entry.type);
  for (const std::uint64_t extent : shape) bytes *= extent;
  if (entry.bytes != bytes) {
    refuse(variable + " claims " + std::to_string(entry.bytes) + " bytes", std::to_string(bytes));
  }
  if (entry.shard >= shard_count_) {
    refuse(variable + " claims to be in shard " + std::to_string(entry.shard),
           "shards 0 to " + std::to_string(shard_count_ - 1));
  }
  return entry;
}

Bundle::Shard& Bundle::shard(std::uint64_t number) {
  Shard& shard = shards_[number];
  if (shard.file) return shard;
  ModelFile file = index_;
  file.path.replace_extension(".data-" + padded(number, kShardDigits) + "-of-" +
                              padded(shard_count_, kShardDigits));
  shard.name = file.name();
  const LocalModelFile local(file, kMaxShardBytes);
  shard.file = std::make_shared<const MappedFile>(local.path());
  return shard;
}

std::span<const std::byte> Bundle::stored_bytes(const std::string& name, const Variable& variable) {
  Shard& from = shard(variable.shard);
  const std::span<const std::byte> all = from.file->bytes();
  if (variable.offset > all.size() || variable.bytes > all.size() - variable.offset) {
    throw InputError(from.name + ": has " + std::to_string(all.size()) + " bytes; expected the " +
                     std::to_string(variable.bytes) + " bytes of " + name + " from byte " +
                     std::to_string(variable.offset) + ". Copy it again");
  }
  // Variables that share bytes would take memory for each of them.
  from.claimed += variable.bytes;
  if (from.claimed > all.size()) {
    throw InputError(from.name + ": its variables claim " + std::to_string(from.claimed) +
                     " bytes of " + std::to_string(all.size()) +
                     "; expected each variable to have its own");
  }
  const std::span<const std::byte> bytes = all.subspan(variable.offset, variable.bytes);
  if (masked_crc32c({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) !=
      variable.checksum) {
    throw InputError(from.name + ": " + name +
                     " has another checksum than it had when it was written; expected an "
                     "undamaged file. Copy it again");
  }
  return bytes;
}

ParameterValues Bundle::numbers(const std::string& variable,
                                const std::vector<std::uint64_t>& shape) {
  const Variable& entry = find(variable, shape);
  const std::span<const std::byte> bytes = stored_bytes(variable, entry);
  if (entry.type == kFloat32 && entry.offset % sizeof(float) == 0) {
    const std::shared_ptr<const MappedFile> file = shard(entry.shard).file;
    const auto release = [file, bytes](const std::byte*) { file->forget(bytes); };
    return {std::shared_ptr<const std::byte>(bytes.data(), release), FloatFormat::float32};
  }
  const auto values = std::make_shared<AlignedVector<float>>(bytes.size() / size_of(entry.type));
  copy_numbers(bytes, entry.type, *values);
  return {std::shared_ptr<const std::byte>(values, std::as_bytes(std::span(*values)).data()),
          FloatFormat::float32};
}

}  // namespace elmo::tensorflow

#include "io/model/torch_file.h"

#include <cstring>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/foreign_content.h"
#include "io/model/archive.h"
#include "io/text/segment/utf8.h"

namespace elmo::torch {
namespace {

using Kind = Value::Kind;

/// The pickle of the number 0x1950a86a20f9469cfc6c.
constexpr std::string_view kMagic{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15};
constexpr std::int64_t kProtocol = 1001;

/// Maximum size of a pickle of tensors.
constexpr std::uint64_t kMaxPickleBytes = std::uint64_t{16} << 20;

/// Returns the value of a text key, or null.
const Value* find(const Pickle& pickle, const Value& dictionary, std::string_view key) {
  const Value* found = nullptr;
  for (std::size_t i = 0; i + 1 < dictionary.items.size(); i += 2) {
    const Value& each = pickle[dictionary.items[i]];
    if (each.kind == Kind::text && each.text == key) found = &pickle[dictionary.items[i + 1]];
  }
  return found;
}

template <typename T>
T value_at(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Copies a tensor row by row, with one loop over its last dimension.
template <typename T>
void copy_numbers(const TensorReference& tensor, const char* storage, float* to) {
  const std::size_t dimensions = tensor.shape.size();
  if (tensor.size() == 0) return;
  const std::uint64_t row = dimensions == 0 ? 1 : tensor.shape.back();
  const std::uint64_t step = dimensions == 0 ? 1 : tensor.strides.back();
  std::vector<std::uint64_t> at(dimensions, 0);
  for (std::uint64_t done = 0; done < tensor.size(); done += row) {
    std::uint64_t begin = tensor.offset;
    for (std::size_t i = 0; i + 1 < dimensions; ++i) begin += at[i] * tensor.strides[i];
    for (std::uint64_t i = 0; i < row; ++i) {
      *to++ = static_cast<float>(value_at<T>(storage + (begin + i * step) * sizeof(T)));
    }
    for (std::size_t i = dimensions < 2 ? 0 : dimensions - 1; i-- > 0;) {
      if (++at[i] < tensor.shape[i]) break;
      at[i] = 0;
    }
  }
}

}  // namespace

TensorFile::TensorFile(const std::filesystem::path& path, const std::string& name) : name_(name) {
  if (is_zip(path)) {
    read_archive(path, std::filesystem::file_size(path));
    return;
  }
  file_.emplace(path);
  const std::span<const std::byte> bytes = file_->bytes();
  read_pickles({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void TensorFile::refuse(const std::string& found, const std::string& expected) const {
  throw InputError(name_ + ": " + found + "; expected " + expected);
}

void TensorFile::take_tensors(const Pickle& pickle, std::uint64_t file_bytes) {
  const Value& root = pickle[pickle.root];
  if (root.kind != Kind::dictionary) {
    refuse("what is saved is not a dictionary", "one from names to tensors");
  }
  std::uint64_t numbers = 0;
  for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
    const Value& key = pickle[root.items[i]];
    const Value& tensor = pickle[root.items[i + 1]];
    if (key.kind != Kind::text || tensor.kind != Kind::tensor) {
      refuse("the dictionary has an item that is not a name with a tensor",
             "the state of a module");
    }
    if (!tensors_.emplace(key.text, tensor.tensor).second) {
      refuse("the tensor " + excerpt(escaped_name(std::string(key.text))) + " is there twice",
             "it once");
    }
    numbers += tensor.tensor.size();
  }
  std::uint64_t stored = 0;
  for (const auto& [key, tensor] : tensors_) {
    const StorageReference& storage = tensor.storage;
    const auto [known_storage, is_new] = storages_.emplace(storage.key, storage);
    const StorageReference& known = known_storage->second;
    if (known.count != storage.count || known.number != storage.number) {
      refuse("the storage " + excerpt(escaped_name(std::string(storage.key))) + " has two sizes",
             "one");
    }
    if (!is_new) continue;
    if (storage.count > (file_bytes - stored) / bytes_of(storage.number)) {
      refuse(
          "its storages claim more than the " + std::to_string(file_bytes) + " bytes of the file",
          "storages that lie in it");
    }
    stored += storage.count * bytes_of(storage.number);
  }
  // Tensors that share numbers would each take memory for them.
  if (numbers > stored / bytes_of(Number::float32)) {
    refuse("its tensors have " + std::to_string(numbers) + " numbers in " + std::to_string(stored) +
               " bytes",
           "no more than are stored");
  }
}

void TensorFile::read_pickles(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) {
    const std::string foreign = foreign_content(bytes);
    if (!foreign.empty()) throw InputError(name_ + foreign + "; expected PyTorch's tensors");
    refuse("is neither a zip archive nor begins with PyTorch's magic number",
           "tensors that PyTorch has saved");
  }
  std::size_t position = kMagic.size();
  const auto next = [&] {
    Pickle pickle = read_pickle(bytes.substr(position), name_);
    position += pickle.bytes;
    return pickle;
  };
  const Pickle protocol = next();
  const Value& version = protocol[protocol.root];
  if (version.kind != Kind::integer || version.integer != kProtocol) {
    refuse("its protocol is another", std::to_string(kProtocol));
  }
  const Pickle machine = next();
  const Value* little = find(machine, machine[machine.root], "little_endian");
  if (little == nullptr || little->kind != Kind::boolean || little->integer != 1) {
    refuse("its numbers are not said to be little endian", "little_endian to be True");
  }
  take_tensors(next(), bytes.size());
  const Pickle keys = next();
  if (keys[keys.root].kind != Kind::list) refuse("the keys of its storages are not a list", "one");
  for (const ValueIndex index : keys[keys.root].items) {
    const auto storage = storages_.find(keys[index].text);
    if (keys[index].kind != Kind::text || storage == storages_.end()) {
      refuse("it has a storage without a tensor", "only storages of its tensors");
    }
    const std::string key = excerpt(escaped_name(std::string(storage->first)));
    const std::string_view left = bytes.substr(position);
    const std::uint64_t count = storage->second.count;
    const std::uint64_t size = count * bytes_of(storage->second.number);
    constexpr std::size_t kCount = sizeof(std::int64_t);
    if (left.size() < kCount || left.size() - kCount < size) {
      refuse("is cut off in the storage " + key, std::to_string(size) + " bytes there");
    }
    if (value_at<std::uint64_t>(left.data()) != count) {
      refuse("the storage " + key + " says that it has " +
                 std::to_string(value_at<std::uint64_t>(left.data())) + " numbers",
             std::to_string(count));
    }
    if (!contents_.emplace(storage->first, left.substr(kCount, size)).second) {
      refuse("the storage " + key + " is there twice", "it once");
    }
    position += kCount + size;
  }
  if (contents_.size() != storages_.size()) {
    refuse("has " + std::to_string(contents_.size()) + " storages",
           std::to_string(storages_.size()) + ", one for each that its tensors use");
  }
}

void TensorFile::read_archive(const std::filesystem::path& path, std::uint64_t file_bytes) {
  constexpr std::string_view kPickle = "data.pkl";
  std::string prefix;
  std::size_t pickles = 0;
  for (const std::string& member : zip_members(path)) {
    if (!member.ends_with(kPickle)) continue;
    prefix = member.substr(0, member.size() - kPickle.size());
    ++pickles;
  }
  if (pickles != 1) {
    refuse("the archive has " + std::to_string(pickles) + " members named data.pkl",
           "one, as PyTorch saves tensors");
  }
  pickle_ = read_zip_member(path, prefix + std::string(kPickle), kMaxPickleBytes);
  take_tensors(read_pickle(pickle_, name_ + ": " + prefix + std::string(kPickle)), file_bytes);
  const std::string folder = prefix + "data/";
  read_zip_members(
      path,
      [&](const std::string& member) -> std::optional<std::uint64_t> {
        if (member == prefix + "byteorder") return 16;
        if (!member.starts_with(folder)) return std::nullopt;
        const auto storage = storages_.find(std::string_view(member).substr(folder.size()));
        if (storage == storages_.end()) return std::nullopt;
        return storage->second.count * bytes_of(storage->second.number);
      },
      [&](const std::string& member, std::string content) {
        if (!member.starts_with(folder)) {
          if (content != "little") refuse("its byteorder is another", "little");
          return;
        }
        members_.emplace(member.substr(folder.size()), std::move(content));
      });
  for (const auto& [key, storage] : storages_) {
    const auto member = members_.find(std::string(key));
    const std::uint64_t size = storage.count * bytes_of(storage.number);
    if (member == members_.end() || member->second.size() != size) {
      refuse(member == members_.end() ? folder + std::string(key) + " is missing"
                                      : folder + std::string(key) + " has " +
                                            std::to_string(member->second.size()) + " bytes",
             std::to_string(size) + " bytes there");
    }
    contents_.emplace(key, member->second);
  }
}

void TensorFile::read(const TensorReference& tensor, std::span<float> to) const {
  const char* storage = contents_.at(tensor.storage.key).data();
  if (tensor.storage.number == Number::float32) {
    copy_numbers<float>(tensor, storage, to.data());
  } else {
    copy_numbers<double>(tensor, storage, to.data());
  }
}

}  // namespace elmo::torch

// A TensorFlow checkpoint with any damage is either read, with all its numbers inside its file, or
// refused with an InputError. The first byte selects the meaning of the rest: an index, the content
// of an index's only block, or changes to the entries of a valid checkpoint. A change has ten
// bytes: entry, field, and new value.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/model/parameters.h"
#include "io/model/tensorflow_weights.h"
#include "io/model/weights.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/tensorflow.h"
#include "tests/fuzz/may_be_refused.h"
#include "tests/fuzz/scratch.h"

namespace {

namespace tf = elmo::tensorflow;
using Entries = std::vector<std::pair<std::string, std::string>>;

elmo::ModelOptions tiny_options() {
  elmo::ModelOptions options;
  options.lstm.dim = 3;
  options.lstm.projection_dim = 2;
  options.lstm.n_layers = 1;
  options.n_tokens_vocab = 4;
  return options;
}

std::string field(std::uint64_t number, std::uint64_t value) {
  return tf::varint(number << 3U) + tf::varint(value);
}

std::string content(std::uint64_t number, const std::string& value) {
  return tf::varint(number << 3U | 2U) + tf::varint(value.size()) + value;
}

/// Returns the sorted names and shapes in a checkpoint of tiny_options().
const std::vector<std::pair<std::string, std::vector<std::uint64_t>>> kVariables{
    {"lm/RNN_0/rnn/lstm_cell/bias", {12}},
    {"lm/RNN_0/rnn/lstm_cell/kernel", {4, 12}},
    {"lm/RNN_0/rnn/lstm_cell/projection/kernel", {3, 2}},
    {"lm/RNN_1/rnn/lstm_cell/bias", {12}},
    {"lm/RNN_1/rnn/lstm_cell/kernel", {4, 12}},
    {"lm/RNN_1/rnn/lstm_cell/projection/kernel", {3, 2}},
    {"lm/embedding", {4, 2}},
    {"lm/softmax/W", {4, 2}},
    {"lm/softmax/b", {4}}};

/// Writes the numbers, all zero, to `data` and returns the entries.
Entries sound_entries(std::string& data) {
  Entries entries{{"", field(1, 1) + content(3, field(1, 1))}};
  for (const auto& [name, shape] : kVariables) {
    std::uint64_t bytes = sizeof(float);
    std::string dimensions;
    for (const std::uint64_t extent : shape) {
      bytes *= extent;
      dimensions += content(2, field(1, extent));
    }
    const std::string numbers(bytes, '\0');
    entries.emplace_back(name, field(1, 1) + content(2, dimensions) + field(4, data.size()) +
                                   field(5, bytes) + tf::varint(6U << 3U | 5U) +
                                   tf::four_bytes(tf::masked_crc32c(numbers)));
    data += numbers;
  }
  return entries;
}

std::string index_of(const std::uint8_t* data, std::size_t size, Entries entries) {
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 3 == 0) return rest;
  if (data[0] % 3 == 1) return tf::table_of(rest);
  constexpr std::size_t kChangeBytes = 10;
  for (std::size_t at = 1; at + kChangeBytes <= size; at += kChangeBytes) {
    std::string& entry = entries[data[at] % entries.size()].second;
    const std::uint64_t number = data[at + 1] % 8U;
    std::uint64_t value = 0;
    std::memcpy(&value, data + at + 2, sizeof value);
    if (data[at + 1] < 128) {
      entry += field(number, value);  // the last of several fields counts
    } else {
      entry += content(number, std::string(reinterpret_cast<const char*>(data + at + 2), 8));
    }
  }
  return tf::table_of(tf::block_of(entries));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::string numbers;
  static const Entries kSound = sound_entries(numbers);
  static const std::string kPath = elmo::scratch().string();
  if (size == 0) return 0;
  elmo::write_file(kPath + ".index", index_of(data, size, kSound));
  elmo::write_file(kPath + ".data-00000-of-00001", numbers);
  const elmo::ModelOptions options = tiny_options();
  elmo::may_be_refused([&] {
    std::vector<std::string> remarks;
    elmo::require_finite(
        "weights", elmo::read_tensorflow_weights(elmo::ModelFile(kPath + ".index"), "options.json",
                                                 options, remarks));
  });
  elmo::may_be_refused([&] {
    elmo::read_tensorflow_softmax(elmo::ModelFile(kPath + ".index"),
                                  elmo::Vocabulary({"<S>", "</S>", "<UNK>", "a"}), 2);
  });
  std::filesystem::remove(kPath + ".index");
  std::filesystem::remove(kPath + ".data-00000-of-00001");
  return 0;
}

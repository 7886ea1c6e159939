// A file of tensors with any damage is either read, with all tensors inside it, or refused with an
// InputError. The input is a file of either format, or, if its first byte is odd, only a pickle.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "io/model/torch_file.h"
#include "io/model/torch_pickle.h"
#include "tests/fuzz/may_be_refused.h"
#include "tests/fuzz/scratch.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 1) {
    elmo::may_be_refused([&] {
      const elmo::torch::Pickle pickle = elmo::torch::read_pickle(bytes, "pickle");
      if (pickle.bytes > bytes.size() || pickle.root >= pickle.values.size()) std::abort();
      for (const elmo::torch::Value& value : pickle.values) {
        for (const elmo::torch::ValueIndex item : value.items) {
          if (item >= pickle.values.size()) std::abort();
        }
      }
    });
    return 0;
  }
  const std::filesystem::path path = elmo::scratch();
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  elmo::may_be_refused([&] {
    const elmo::torch::TensorFile file(path, "file");
    std::size_t numbers = 0;
    for (const auto& [name, tensor] : file.tensors()) {
      numbers += tensor.size();
      if (numbers * 4 > bytes.size()) std::abort();
      std::vector<float> values(tensor.size());
      file.read(tensor, values);
    }
  });
  std::filesystem::remove(path);
  return 0;
}

#include "io/model/torch_file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/torch_files.h"

namespace elmo::torch {
namespace {

namespace fs = std::filesystem;

SavedTensors some_tensors() {
  return {{"scalar", {{}, {7.5F}}},
          {"vector", {{3}, {1.0F, 2.0F, 3.0F}}},
          {"matrix", {{2, 3}, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}}},
          {"cube", {{2, 1, 2}, {-1.0F, -2.0F, -3.0F, -4.0F}}},
          {"nothing", {{0, 4}, {}}}};
}

std::string refusal_of_tensors(const fs::path& path) {
  try {
    const TensorFile file(path, "t.pkl");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

using Members = std::vector<std::pair<std::string, std::string>>;

Members members() {
  const PickledTensors made = pickled(some_tensors(), {.zip = true});
  Members all{{"a/data.pkl", made.pickle}};
  for (std::size_t i = 0; i < made.storages.size(); ++i) {
    all.emplace_back("a/data/" + std::to_string(i), made.storages[i]);
  }
  return all;
}

TEST_CASE("tensors are read as saved, in every format") {
  const TempDir dir;
  for (const TorchStyle& style :
       {TorchStyle{}, TorchStyle{.zip = true}, TorchStyle{.storage = "DoubleStorage"},
        TorchStyle{.module = "torch.cuda", .rebuild = "_rebuild_tensor"},
        TorchStyle{.one_storage = true}, TorchStyle{.transposed = true},
        TorchStyle{
            .zip = true, .storage = "DoubleStorage", .one_storage = true, .transposed = true}}) {
    CAPTURE(style.zip);
    CAPTURE(style.storage);
    write_torch(dir / "t", some_tensors(), style);
    const TensorFile file(dir / "t", "t.pkl");
    CHECK(file.tensors().size() == some_tensors().size());
    for (const auto& [name, saved] : some_tensors()) {
      CAPTURE(name);
      const TensorReference& tensor = file.tensors().at(name);
      CHECK(std::vector<std::int64_t>(tensor.shape.begin(), tensor.shape.end()) == saved.shape);
      std::vector<float> values(tensor.size());
      file.read(tensor, values);
      CHECK(values == saved.values);
    }
  }
}

TEST_CASE("files without tensors are refused") {
  const TempDir dir;
  const auto refuses = [&](const std::string& bytes, const std::string& reason) {
    write_file(dir / "t", bytes);
    const std::string said = refusal_of_tensors(dir / "t");
    CAPTURE(said);
    CHECK(said.find("t.pkl: ") == 0);
    CHECK(said.find(reason) != std::string::npos);
  };
  refuses("no tensors", "magic number");
  refuses("", "magic number");
  const std::string whole = legacy_bytes(some_tensors());
  const std::string magic = whole.substr(0, 15);
  refuses(magic + PickleText().begin().number(1000).op(".").bytes(), "protocol");
  const std::string protocol = PickleText().begin().number(1001).op(".").bytes();
  refuses(magic + protocol + PickleText().begin().op("}.").bytes(), "little endian");
  std::string big = whole;
  big.replace(big.find("little_endian") + 13, 1, "\x89");
  refuses(big, "little endian");
  refuses(whole.substr(0, whole.size() - 1), "cut off in the storage");
  refuses(whole.substr(0, magic.size() + 3), "the pickle is cut off");

  const std::string machine =
      PickleText().begin().op("}(").text("little_endian").op({"\x88", 1}).op("u.").bytes();
  refuses(magic + protocol + machine + PickleText().begin().op("].").bytes(), "not a dictionary");
  refuses(magic + protocol + machine + PickleText().begin().op("}").text("a").op("Ns.").bytes(),
          "not a name with a tensor");
}

TEST_CASE("a legacy file's description of its storages must be true") {
  const TempDir dir;
  const std::string whole = legacy_bytes({{"v", {{3}, {1.0F, 2.0F, 3.0F}}}});
  const auto refuses = [&](const std::string& bytes, const std::string& reason) {
    write_file(dir / "t", bytes);
    const std::string said = refusal_of_tensors(dir / "t");
    CAPTURE(said);
    CHECK(said.find(reason) != std::string::npos);
  };
  std::string other = whole;
  other[whole.size() - 20] = 4;
  refuses(other, "says that it has 4 numbers; expected 3");
  // A tensor with far more numbers than the file has bytes.
  const SavedTensors huge{{"v", {{1LL << 30}, {}}}};
  std::string claimed = legacy_bytes(huge);
  const std::string nothing = PickleText().text("cpu").number(0).bytes();
  claimed.replace(claimed.find(nothing), nothing.size(),
                  PickleText().text("cpu").number(1LL << 30).bytes());
  refuses(claimed, "claim more than the");
  // No storage at all, a storage without a tensor, and a storage listed twice.
  const std::string keys = PickleText().begin().op("](").text("0").op("e.").bytes();
  const auto with_keys = [&](const std::string& list) {
    std::string bytes = whole;
    return bytes.replace(bytes.rfind(keys), keys.size(), list);
  };
  refuses(with_keys(PickleText().begin().op("].").bytes()), "has 0 storages");
  refuses(with_keys(PickleText().begin().op("](").text("1").op("e.").bytes()),
          "a storage without a tensor");
  refuses(with_keys(PickleText().begin().op("](").text("0").text("0").op("e.").bytes()) +
              whole.substr(whole.size() - 20),
          "is there twice");
}

TEST_CASE("an archive's description of its storages must be true") {
  const TempDir dir;
  const auto refuses = [&](const Members& members, const std::string& reason) {
    write_file(dir / "t", zip_bytes(members));
    const std::string said = refusal_of_tensors(dir / "t");
    CAPTURE(said);
    CHECK(said.find(reason) != std::string::npos);
  };
  Members all = members();
  all.emplace_back("a/byteorder", "little");
  write_file(dir / "t", zip_bytes(all));
  CHECK(refusal_of_tensors(dir / "t") == "");
  all.back().second = "big";
  refuses(all, "byteorder");
  all = members();
  all.pop_back();
  refuses(all, "is missing");
  all = members();
  all.back().second += "more";
  refuses(all, "is too large; expected at most");
  all = members();
  all.back().second.pop_back();
  refuses(all, "bytes; expected");
  all = members();
  all.emplace_back("b/data.pkl", "");
  refuses(all, "2 members named data.pkl");
  refuses({{"x", "y"}}, "0 members named data.pkl");
}

TEST_CASE("damaged files are read or refused") {
  const TempDir dir;
  const std::uint64_t seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 engine(seed);
  for (const std::string& whole : {legacy_bytes(some_tensors()), zip_bytes(members())}) {
    for (int i = 0; i < 1000; ++i) {
      std::string damaged = whole;
      damaged[engine() % damaged.size()] = static_cast<char>(engine());
      if (i % 4 == 0) damaged.resize(engine() % damaged.size());
      write_file(dir / "t", damaged);
      try {
        const TensorFile file(dir / "t", "t.pkl");
        for (const auto& [name, tensor] : file.tensors()) {
          std::vector<float> values(tensor.size());
          file.read(tensor, values);
        }
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace elmo::torch

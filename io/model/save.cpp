#include "io/model/save.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <system_error>

#include "core/error.h"
#include "io/model/options.h"
#include "io/model/vocabulary.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

void make_durable(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool done = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!done) throw SystemError("cannot write " + path.string() + ": " + std::strerror(error));
}

/// Lets `write` make a file beside `path`, which takes its place once it is whole and on the disk.
void publish(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  const fs::path temporary = path.string() + ".tmp";
  try {
    write(temporary);
    make_durable(temporary);
    fs::rename(temporary, path);
    make_durable(path.parent_path());
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw SystemError("cannot write " + path.string() + ": " + std::strerror(errno));
}

}  // namespace

void save_model(const fs::path& folder, const ModelOptions& options, const Parameters& parameters,
                const Vocabulary* vocabulary, ExistingModel existing) {
  const fs::path options_path = folder / "options.json";
  const fs::path weights_path = folder / "weights.hdf5";
  const fs::path vocabulary_path = folder / "vocab.txt";
  std::error_code error;
  for (const fs::path& path : {options_path, weights_path, vocabulary_path}) {
    if (!fs::exists(path)) continue;
    if (existing == ExistingModel::kept) {
      throw UsageError(path.string() +
                       " is there already; choose another folder, or ask to overwrite it");
    }
    fs::remove(path, error);
    if (error) throw SystemError("cannot remove " + path.string() + ": " + error.message());
  }
  fs::create_directories(folder, error);
  if (error) throw SystemError("cannot make " + folder.string() + ": " + error.message());

  if (vocabulary != nullptr) {
    publish(vocabulary_path,
            [&](const fs::path& path) { write_text(path, vocabulary_text(*vocabulary)); });
  }
  publish(weights_path, [&](const fs::path& path) { write_weights(path, parameters); });
  publish(options_path,
          [&](const fs::path& path) { write_text(path, options_text(options) + "\n"); });
}

}  // namespace elmo

#include "io/model/save.h"

#include <array>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "io/files/durable.h"
#include "io/model/published/options.h"
#include "io/model/published/weights.h"
#include "io/model/softmax.h"
#include "io/model/tokenizer.h"
#include "io/model/vocabulary.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

fs::path unfinished(const fs::path& path) { return path.string() + kUnfinished; }

/// Files that are being made, removed again where they do not get their final names.
class NewFiles {
 public:
  ~NewFiles() {
    std::error_code ignored;
    for (const fs::path& path : paths_) fs::remove(unfinished(path), ignored);
  }
  NewFiles() = default;
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;

  /// Where the file that will be `path` is made.
  fs::path add(const fs::path& path) { return unfinished(paths_.emplace_back(path)); }

  void publish() {
    for (const fs::path& path : paths_) rename_path(unfinished(path), path);
    paths_.clear();
  }

 private:
  std::vector<fs::path> paths_;
};

}  // namespace

void save_model(const fs::path& folder, const ModelOptions& options, const Parameters& parameters,
                const Vocabulary* vocabulary, const SaveOptions& save) {
  const fs::path options_path = folder / "options.json";
  const fs::path weights_path = folder / "weights.hdf5";
  const fs::path vocabulary_path = folder / "vocab.txt";
  const fs::path softmax_path = folder / "softmax.hdf5";
  const fs::path softmax_vocabulary_path = folder / "vocabulary.txt";
  const fs::path tokenizer_path = folder / "tokenizer.json";
  // options.json first: without it the rest is no model.
  const std::array names{
      options_path,  weights_path, vocabulary_path, softmax_path, softmax_vocabulary_path,
      tokenizer_path};
  std::error_code error;
  for (const fs::path& path : names) {
    if (save.existing == ExistingModel::kept && fs::exists(path, error)) {
      throw RequestError(path.string() +
                         " is there already; choose another folder, or ask to overwrite it");
    }
  }
  fs::create_directories(folder, error);
  if (error) throw SystemError("cannot make " + folder.string() + ": " + error.message());

  NewFiles files;
  const fs::path new_weights = files.add(weights_path);
  write_weights(new_weights, parameters, save.dtype);
  sync_path(new_weights);
  if (save.softmax != nullptr) {
    const fs::path new_softmax = files.add(softmax_path);
    write_softmax(new_softmax, *save.softmax, save.dtype);
    sync_path(new_softmax);
    write_synced(files.add(softmax_vocabulary_path), vocabulary_text(save.softmax->vocabulary));
  }
  if (save.tokenizer != nullptr) {
    write_synced(files.add(tokenizer_path), tokenizer_text(*save.tokenizer) + "\n");
  }
  if (vocabulary != nullptr) write_synced(files.add(vocabulary_path), vocabulary_text(*vocabulary));
  write_synced(files.add(options_path), options_text(options) + "\n");

  // From here on the folder holds no model, until the new one is complete.
  for (const fs::path& path : names) remove_path(path);
  files.publish();
  sync_path(folder);
}

}  // namespace elmo

#include "io/model/installed.h"

#include <cstdlib>
#include <map>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/model.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> model_folders() {
  const char* const chosen = std::getenv("ELMO_MODEL_PATH");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  return {beside / ELMO_MODELS_FROM_BIN, beside / "share/elmo/models"};
}

}  // namespace

std::optional<fs::path> installed_model(const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    return std::nullopt;
  }
  for (const fs::path& folder : model_folders()) {
    if (is_folder(folder / name)) return (folder / name).lexically_normal();
  }
  return std::nullopt;
}

std::vector<InstalledModel> installed_models() {
  std::map<std::string, InstalledModel> models;
  for (const fs::path& folder : model_folders()) {
    for (const std::string& name : names_in(folder)) {
      if (models.contains(name) || !is_folder(folder / name)) continue;
      std::optional<ModelLocation> location;
      try {
        location = locate_model(folder / name);
      } catch (const InputError&) {
        continue;
      }
      models[name] = {name, (folder / name).lexically_normal(), read_language(*location)};
    }
  }
  std::vector<InstalledModel> sorted;
  sorted.reserve(models.size());
  for (auto& [name, model] : models) sorted.push_back(std::move(model));
  return sorted;
}

std::optional<ModelLocation> default_model() {
  const std::optional<fs::path> folder = installed_model(kDefaultModel);
  if (!folder) return std::nullopt;
  return locate_model(*folder);
}

}  // namespace elmo

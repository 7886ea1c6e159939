#include "io/model/many_langs/configuration.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "io/files/paths.h"
#include "io/json/json_document.h"
#include "io/model/folder/files.h"
#include "io/model/many_langs/architecture.h"
#include "io/text/segment/escaped_name.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxConfigurationBytes = std::uint64_t{1} << 20;

/// The files that come with ELMoForManyLangs; both have the same content.
constexpr std::array<const char*, 2> kUsualNames{"cnn_50_100_512_4096_sample.json",
                                                 "cnn_0_100_512_4096_sample.json"};

/// Returns the path that config.json names, also one in Windows notation; empty if there is no
/// config.json or it names none.
fs::path config_path(const ModelLocation& location) {
  const ManyLangsFiles& files = *location.many_langs;
  if (!files.config) return {};
  const std::string name = model_file_name(location, *files.config);
  const JsonDocument root(read_model_file(location, *files.config, kMaxConfigurationBytes), name,
                          "the config.json of a model");
  if (!root["config_path"].is_there()) return {};
  std::string path = root["config_path"].text();
  std::ranges::replace(path, '\\', '/');
  return path;
}

/// Finds the file of that name relative to the model's folder; the path must not leave the folder.
std::optional<fs::path> find_beside(const ModelLocation& location, const fs::path& name) {
  const fs::path inner = name.lexically_normal();
  if (inner.empty() || inner.is_absolute() || *inner.begin() == "..") return std::nullopt;
  const ManyLangsFiles& files = *location.many_langs;
  if (location.archive) {
    const bool is_there = std::ranges::find(files.json, inner.string()) != files.json.end();
    return is_there ? std::optional<fs::path>(files.folder + inner.string()) : std::nullopt;
  }
  const fs::path path = fs::path(files.folder) / inner;
  return is_file(path) ? std::optional<fs::path>(path) : std::nullopt;
}

ModelOptions read(const ModelLocation& location, const fs::path& file) {
  return parse_architecture(read_model_file(location, file, kMaxConfigurationBytes),
                            model_file_name(location, file));
}

}  // namespace

ModelOptions read_architecture(const ModelLocation& location, std::vector<std::string>& remarks) {
  const fs::path named = config_path(location);
  if (const auto file = find_beside(location, named)) return read(location, *file);
  if (const auto file = find_beside(location, named.filename())) {
    remarks.push_back("the architecture is that of " + escaped_name(named.filename().string()) +
                      " beside the model; config_path names it elsewhere");
    return read(location, *file);
  }
  if (named.is_absolute() && is_file(named)) {
    remarks.push_back("the architecture is that of " + escaped_name(named.string()));
    ModelLocation alone;
    return read(alone, named);
  }
  for (const char* usual : kUsualNames) {
    const auto file = find_beside(location, usual);
    if (!file) continue;
    remarks.push_back("the architecture is that of " + std::string(usual) +
                      " beside the model; what config_path names is not there");
    return read(location, *file);
  }
  remarks.emplace_back(
      "no file tells the architecture; taken as that which all the models have "
      "that its authors published");
  return default_architecture();
}

}  // namespace elmo

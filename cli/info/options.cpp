// `elmo info`: what a model, a shard or a run's folder is.
#include "cli/common/options.h"

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/model_request.h"
#include "cli/common/process.h"
#include "cli/info/report.h"
#include "core/error.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/labeled/task_folder.h"

namespace elmo {
namespace {

struct InfoFlags {
  std::string path;
  bool json = false;
};

Description describe(const std::string& name) {
  if (name.empty()) return describe_tool();
  const std::string path = model_path(name).string();
  if (!is_there(path)) throw InputError(path + ": there is no such file or folder");
  if (is_folder(path)) {
    if (const auto manifest = read_manifest(path)) return describe_run(path, *manifest);
    if (holds_task(path)) return describe_task(path, read_task_description(path));
    return describe_model(path);
  }
  if (read_head(path, 2) == "PK") return describe_model(path);
  if (const auto shard = describe_shard(path)) return describe_shard_file(path, *shard);
  throw InputError(path +
                   ": an HDF5 file, but no shard; expected a shard, an index, a folder that embed "
                   "has written, or a model's folder or zip archive");
}

ExitCode run_info(const InfoFlags& flags) {
  const Description description = describe(flags.path);
  standard_output().write(flags.json ? description.json : description.text());
  return kDone;
}

}  // namespace

void add_info(Options& app, Command& chosen) {
  const auto flags = std::make_shared<InfoFlags>();
  Options command = app.add_subcommand("info", "Describe a model, a shard or a run, and its cost");
  command->add_option(
      "PATH", flags->path,
      "Model, shard, index or run; without one, the tool, this CPU and the installed models");
  command->add_flag("--json", flags->json, "Print JSON with exact counts");
  command->callback([flags, &chosen] { chosen = [flags] { return run_info(*flags); }; });
}

}  // namespace elmo

// `elmo plot`: the curves of training runs.
#include <CLI/App.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flags/output.h"
#include "cli/report/curves.h"
#include "cli/report/report.h"
#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/text/segment/escaped_name.h"
#include "io/train/run_folder.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

struct PlotFlags {
  std::vector<std::string> runs;
  std::string output;
  bool quiet = false;
};

ExitCode run_plot(const PlotFlags& flags) {
  std::vector<PlottedRun> runs;
  for (const std::string& folder : flags.runs) {
    const fs::path progress = fs::path(folder) / kMetricsFile;
    if (!fs::exists(progress)) {
      throw InputError(folder + ": has no " + kMetricsFile +
                       "; expected the folder of elmo train or elmo finetune");
    }
    runs.push_back({escaped_name(folder), read_progress(progress)});
  }
  const fs::path path =
      flags.output.empty() ? fs::path(flags.runs.front()) / kCurvesFile : fs::path(flags.output);
  replace_file(path, curves_svg(runs));
  Report(flags.quiet).line("the curves are in " + path.string());
  return kDone;
}

}  // namespace

void add_plot(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<PlotFlags>();
  CLI::App* command =
      app.add_subcommand("plot", "Draw loss and validation perplexity of training runs");
  command
      ->add_option("DIR", flags->runs,
                   "Folders that train or finetune has written; several are drawn over one another")
      ->required();
  command
      ->add_option(
          "-o,--output", flags->output,
          "SVG file to write, replacing what is there; needed for the curves of several runs")
      ->type_name("FILE")
      ->default_str("DIR/curves.svg");
  command->add_flag("--quiet", flags->quiet, "Say nothing where all is well");
  command->callback([flags, &chosen] {
    if (flags->runs.size() > 1 && flags->output.empty()) {
      throw RequestError("where to? Give -o FILE for the curves of several runs");
    }
    for (const std::string& run : flags->runs) {
      if (flags->output.empty()) break;
      const fs::path path = flags->output;
      if (path.extension() == ".svg" || !lies_in(path, run)) continue;
      throw RequestError("-o: " + flags->output +
                         " lies in a run that is read; expected a name that ends in .svg there");
    }
    chosen = [flags] { return run_plot(*flags); };
  });
}

}  // namespace elmo

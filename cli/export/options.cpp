// `elmo export`: exports a run as arrays, records or a stream, without computing it again.
#include "cli/common/options.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/common/human.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/task_mix_options.h"
#include "cli/export/run.h"
#include "core/enum_table.h"
#include "core/error.h"

namespace elmo {
namespace {

enum class ExportFormat { npy, jsonl, safetensors };

constexpr auto kExportFormats =
    enum_table<ExportFormat>({{"npy", ExportFormat::npy},
                              {"jsonl", ExportFormat::jsonl},
                              {"safetensors", ExportFormat::safetensors}});

struct ExportFlags {
  std::string run;
  std::string output;  ///< empty: standard output
  ExportFormat format = ExportFormat::npy;
  std::optional<LayerSelection> layers;  ///< nothing: as in the run
  EmbedOptions mixing;                   ///< how layers are mixed
  TaskMixRequest task;
  std::optional<Dtype> dtype;  ///< nothing: the run's
  bool overwrite = false;
  bool quiet = false;
};

ExportRequest request_of(const ExportFlags& flags) {
  ExportRequest request;
  request.run = flags.run;
  if (flags.layers) request.layers = layer_mixing(*flags.layers, flags.mixing, flags.task);
  request.dtype = flags.dtype;
  if (flags.output.empty()) {
    const bool npy = flags.format == ExportFormat::npy;
    request.output =
        SentenceStream{&lasting_standard_output(), npy ? StreamFormat::npy : StreamFormat::jsonl};
  } else if (flags.format == ExportFormat::jsonl) {
    request.output = RecordOutput{flags.output, flags.overwrite};
  } else {
    request.output =
        ArrayOutput{flags.output,
                    flags.format == ExportFormat::npy ? ArrayFormat::npy : ArrayFormat::safetensors,
                    flags.overwrite};
  }
  return request;
}

ExitCode run_export(const ExportFlags& flags) {
  if (!flags.output.empty() && lies_in(flags.output, flags.run)) {
    throw RequestError("-o: " + flags.output + " lies in the run itself; choose a file elsewhere");
  }
  RunReport report(flags.quiet);
  const std::optional<std::uint64_t> tokens =
      run_export(request_of(flags), report, flags.output.empty() ? kNeverStop : stop_on_signals());
  if (!tokens) {
    Report(false).line("stopped; nothing was written: an export cannot be resumed");
    return kStopped;
  }
  report.note(human_count(*tokens, "token") + " of " + flags.run + " exported");
  return kDone;
}

void check_flags(const Options& command, const ExportFlags& flags) {
  check_mixing_flags(command, flags.layers, flags.task);
  only_with(command, "--overwrite", !flags.output.empty(), "-o PATH");
  if (!flags.output.empty()) return;
  if (flags.format == ExportFormat::safetensors) {
    throw RequestError("a safetensors file is written in several places at once; give -o PATH");
  }
  refuse_terminal();
}

void add_layer_flags(Options command, ExportFlags& flags) {
  const std::string group = "Layers";
  add_choice(command, "--layers", flags.layers, kLayerSelections,
             "Layers to write, as in embed; requires shards of all layers")
      ->default_str("as in the run")
      ->group(group);
  add_mixing_flags(command, flags.mixing, flags.task, group);
}

}  // namespace

void add_export(Options& app, Command& chosen) {
  const auto flags = std::make_shared<ExportFlags>();
  Options command =
      app.add_subcommand("export", "Convert a run to NumPy or safetensors arrays, or to a stream");
  command->add_option("DIR", flags->run, "Run written by embed, mix or merge")->required();
  add_choice(command, "--format", flags->format, kExportFormats,
             "Output format: `npy`, a file of vectors and one of offsets, or a stream; "
             "`safetensors`; `jsonl`")
      ->default_str("")
      ->required();
  command->add_option("-o,--output", flags->output, "Output file; npy adds NAME.offsets.npy")
      ->type_name("PATH")
      ->default_str("standard output");
  add_dtype(command, "--dtype", flags->dtype, "Output type; int8 has a scale per row")
      ->default_str("as in the run");
  command->add_flag("--overwrite", flags->overwrite, "Replace existing files");
  command->add_flag("--quiet", flags->quiet, "Print only errors");
  add_layer_flags(command, *flags);
  command->footer(
      "From float32 shards with all layers, a stream equals that of `embed` byte for byte.");
  command->callback([command, flags, &chosen] {
    check_flags(*command, *flags);
    chosen = [flags] { return run_export(*flags); };
  });
}

}  // namespace elmo

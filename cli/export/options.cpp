// `elmo export`: exports a run as arrays, records or a stream, without computing it again.
#include "cli/common/options.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/rules.h"
#include "core/text.h"
#include "io/engine/export.h"
#include "io/engine/listener.h"

namespace elmo {
namespace {

struct ExportFlags : Flags<ExportRequest> {
  std::string format;
};

ExitCode export_and_report(const ExportFlags& flags) {
  ExportRequest request = flags.request;
  request.format = &output_format(flags.format);
  check_mixing_flags(flags.given, request.layers, request.task);
  check_rules(flags.given, {{"--overwrite", !request.output.empty(), "-o PATH"}});
  const bool stream = request.output.empty();
  if (stream && request.format->to_stream) refuse_terminal();
  RunReport report(flags.quiet);
  const std::optional<std::uint64_t> tokens =
      run_export(request, &standard_output(), report, stream ? kNeverStop : stop_on_signals());
  if (!tokens) {
    RunReport(false).note("stopped; nothing was written: an export cannot be resumed");
    return kInterrupted;
  }
  report.note(human_count(*tokens, "token") + " of " + request.run + " exported");
  return kDone;
}

void add_layers(const Options& command, ExportRequest& request) {
  const Options app = command.in_group("Layers");
  add_choice(app, "--layers", request.layers, kLayerSelections,
             "Layers to write, as in embed; requires shards of all layers")
      .default_str("as in the run");
  add_mixing_flags(app, request.mixing, request.task);
}

}  // namespace

void add_export(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<ExportFlags>();
  ExportRequest* const request = &flags->request;
  Options command =
      app.add_subcommand("export", "Convert a run to NumPy or safetensors arrays, or to a stream");
  command.add_argument("DIR", request->run, "Run written by embed, mix or merge").required();
  add_output_format(
      command, "--format", flags->format,
      [](const OutputFormat& format) { return format.exported; }, "Output format")
      .required();
  std::string output_help = "Output file";
  for (const OutputFormat& format : output_formats()) {
    if (!format.files.empty()) output_help.append("; ").append(format.files);
  }
  command.add_option("-o,--output", request->output, "PATH", output_help)
      .default_str("standard output");
  add_choice(command, "--dtype", request->dtype, kDtypes, "Output type; int8 has a scale per row")
      .default_str("as in the run");
  command.add_flag("--overwrite", request->overwrite, "Replace existing files");
  command.add_flag("--quiet", flags->quiet, "Print only errors");
  add_layers(command, *request);
  command.footer(
      "From float32 shards with all layers, jsonl and npy streams equal those of `embed` byte for "
      "byte, and Arrow streams have the same rows.");
  run_if_chosen(command, flags, export_and_report, chosen);
}

}  // namespace elmo

// `elmo export`: a run as arrays or as a stream, without computing it again.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/flags/options.h"
#include "cli/flags/output.h"
#include "cli/flags/task_mix.h"
#include "cli/numbers/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/progress.h"
#include "cli/report/report.h"
#include "cli/run/run_fingerprint.h"
#include "cli/run/run_settings.h"
#include "cli/run/task_mix.h"
#include "core/enum_table.h"
#include "core/error.h"
#include "core/inference/layer_mixing.h"
#include "core/inference/value_range.h"
#include "io/files/atomic_file.h"
#include "io/files/descriptor.h"
#include "io/shard/format/format.h"
#include "io/shard/read/run_reader.h"
#include "io/sinks/arrays.h"
#include "io/sinks/jsonl.h"
#include "io/sinks/npy.h"

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

class Export {
 public:
  Export(const ExportFlags& flags, const std::atomic<bool>& stop);

  ExitCode into_stream();
  ExitCode into_file();

 private:
  ArrayShapes shapes() const;
  /// Hands all sentences to the sink; false where it was stopped.
  bool hand_over(ActivationSink& sink);
  bool into_jsonl(int descriptor, const std::string& name);

  const ExportFlags& flags_;
  const std::atomic<bool>& stop_;
  Report report_;
  RunReader from_;
  std::optional<LayerWeights> weights_;  ///< nothing: the rows as they are
  ActivationLayout layout_;
  Dtype dtype_;
};

Export::Export(const ExportFlags& flags, const std::atomic<bool>& stop)
    : flags_(flags),
      stop_(stop),
      report_(flags.quiet),
      from_(flags.run),
      layout_(from_.layout()),
      dtype_(flags.dtype.value_or(from_.manifest().dtype)) {
  if (!from_.manifest().complete()) {
    throw InputError(flags.run + ": the run has not ended; continue it with " +
                     command_of(from_.manifest()) + " --resume");
  }
  // Records list all tokens of a sentence, and layers are mixed before they are pooled.
  if (flags.format == ExportFormat::jsonl || flags.layers) {
    require_all_tokens(from_.manifest(), flags.run);
  }
  const bool has_all = layout_.row_count() >= 3;
  const LayerSelection layers = flags.layers.value_or(LayerSelection::all);
  if (flags.layers && !has_all) {
    throw InputError(flags.run + ": has " + layout_text(layout_) +
                     "; expected all layers, of which --layers chooses");
  }
  if (layers != LayerSelection::all) {
    EmbedOptions mixing = flags.mixing;
    mixing.layers = layers;
    weights_ = layer_weights(static_cast<std::size_t>(layout_.row_count() / 2 + 1),
                             mixing_of_run(from_.manifest(), flags.run, mixing, flags.task));
    layout_ = {{std::string(kLayerSelections.word(layers))}, 2 * layout_.width};
  }
  if (dtype_ == Dtype::bfloat16 && flags.format == ExportFormat::npy) {
    throw RequestError("NumPy has no bfloat16; choose another --dtype, or --format safetensors");
  }
  if (flags.output.empty() && flags.format == ExportFormat::npy && !is_numpy(dtype_)) {
    throw RequestError(
        "a stream of arrays has no place for the scales of int8; choose another --dtype, or a file "
        "(-o PATH)");
  }
}

ArrayShapes Export::shapes() const {
  return {layout_, dtype_, from_.token_count(), from_.sentence_end()};
}

bool Export::hand_over(ActivationSink& sink) {
  const float limit = dtype_limit(dtype_);
  Progress progress(flags_.quiet);
  ActivationBlock block;
  std::vector<float> mixed;
  std::uint64_t tokens = 0;
  for (std::uint64_t next = 0; next < from_.sentence_end();) {
    if (stop_) return false;
    from_.read(next, BlockLimit{}, block);
    if (weights_) mix_sentences(block.view(), from_.layout(), *weights_, mixed);
    const ActivationBatch batch{next, block.sentences, weights_ ? mixed : block.activations};
    const std::size_t in_range = first_out_of_range(batch.activations, limit);
    if (in_range < batch.activations.size()) refuse_value(batch, layout_, in_range, limit);
    sink.write(batch);
    next += block.sentences.size();
    tokens += batch.token_count();
    progress.show(
        {tokens, static_cast<double>(next) / static_cast<double>(from_.sentence_end()), ""});
  }
  sink.finish();
  progress.clear();
  report_.line(human_count(tokens, "token") + " of " + flags_.run + " exported");
  return true;
}

bool Export::into_jsonl(int descriptor, const std::string& name) {
  Stream stream(descriptor, name);
  // What was rounded to a format once stays as it is.
  const bool rounded = !weights_ && dtype_ == from_.manifest().dtype;
  JsonlSink sink(stream, layout_, rounded ? Dtype::float32 : dtype_);
  return hand_over(sink);
}

ExitCode Export::into_stream() {
  if (flags_.format == ExportFormat::jsonl) {
    into_jsonl(STDOUT_FILENO, "standard output");
    return kDone;
  }
  Stream stream = standard_output();
  NpySink sink(stream, layout_, dtype_);
  hand_over(sink);
  return kDone;
}

ExitCode Export::into_file() {
  bool whole = false;
  if (flags_.format == ExportFormat::jsonl) {
    AtomicFile file = begin_file(flags_.output, flags_.overwrite);
    const Descriptor descriptor = open_descriptor(file.temporary_path(), O_WRONLY);
    whole = into_jsonl(descriptor.get(), flags_.output);
    if (whole) file.publish();
  } else {
    const bool npy = flags_.format == ExportFormat::npy;
    const std::unique_ptr<ArrayFiles> files =
        npy ? make_npy_files(flags_.output, shapes(), flags_.overwrite)
            : make_safetensors_file(flags_.output, shapes(), from_.manifest().fingerprint,
                                    flags_.overwrite);
    if (!files->warning().empty()) report_.line(files->warning());
    ArraySink sink(*files, shapes());
    whole = hand_over(sink);
  }
  if (whole) return kDone;
  Report(false).line("stopped; nothing was written: an export cannot be resumed");
  return kStopped;
}

void check_flags(const CLI::App& command, const ExportFlags& flags) {
  const bool mix = flags.layers == LayerSelection::mix;
  only_with(command, "--mix-weights", mix, "--layers mix");
  only_with(command, "--mix", mix, "--layers mix");
  only_with(command, "--gamma", mix && flags.task.task.empty(), "--layers mix, and without --mix");
  only_with(command, "--layer-norm",
            (mix && flags.task.task.empty()) || flags.layers == LayerSelection::average,
            "--layers average or mix, and without --mix");
  only_with(command, "--overwrite", !flags.output.empty(), "-o PATH");
  if (!flags.output.empty()) return;
  if (flags.format == ExportFormat::safetensors) {
    throw RequestError("a safetensors file is written in several places at once; give -o PATH");
  }
  refuse_terminal();
}

void add_layer_flags(CLI::App* command, ExportFlags& flags) {
  const std::string group = "Layers";
  add_choice(command, "--layers", flags.layers, kLayerSelections,
             "Layers to write, as in embed; requires shards of all layers")
      ->default_str("as in the run")
      ->group(group);
  add_mixing_flags(command, flags.mixing, flags.task, group);
}

}  // namespace

void add_export(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App* command =
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
    chosen = [flags] {
      if (!flags->output.empty() && lies_in(flags->output, flags->run)) {
        throw RequestError("-o: " + flags->output +
                           " lies in the run itself; choose a file elsewhere");
      }
      if (flags->output.empty()) return Export(*flags, kNeverStop).into_stream();
      return Export(*flags, stop_on_signals()).into_file();
    };
  });
}

}  // namespace elmo

#include "io/engine/export.h"

#include <fcntl.h>

#include <memory>
#include <utility>

#include "core/error.h"
#include "io/engine/run_settings.h"
#include "io/files/atomic_file.h"
#include "io/files/descriptor.h"
#include "io/shard/format.h"
#include "io/sinks/arrays.h"

namespace elmo {
namespace {

/// Returns how the layers are mixed; nothing if they stay as in the run.
std::optional<LayerMixing> mixing_of(const ExportRequest& request) {
  if (!request.layers) return std::nullopt;
  EmbedOptions options = request.mixing;
  options.layers = *request.layers;
  return layer_mixing(std::move(options), request.task);
}

}  // namespace

void validate(const ExportRequest& request) {
  check_mixing_flags(request.given, request.layers, request.task);
  check_rules(request.given, {{"--overwrite", !request.output.empty(), "-o PATH"}});
  if (request.output.empty() && request.format == ExportFormat::safetensors) {
    throw RequestError("a safetensors file is written in several places at once; give -o PATH");
  }
  if (!request.output.empty() && lies_in(request.output, request.run)) {
    throw RequestError("-o: " + request.output +
                       " lies in the run itself; choose a file elsewhere");
  }
}

std::optional<std::uint64_t> run_export(const ExportRequest& request, Stream& standard_output,
                                        RunListener& listener, const std::atomic<bool>& stop) {
  RunRows rows(request.run, mixing_of(request));
  const Dtype dtype = request.dtype.value_or(rows.manifest().dtype);
  bool whole = false;  // false if it was stopped
  const auto hand_over_to = [&](ActivationSink& sink) {
    whole = rows.hand_over(0, rows.sentences(), sink, dtype, "", listener, stop);
    if (whole) sink.finish();
    listener.progress_ended();
  };
  const auto write_jsonl = [&](Stream& stream) {
    // Numbers that are already rounded to the dtype stay unchanged.
    const bool rounded = !rows.mixed() && dtype == rows.manifest().dtype;
    JsonlSink sink(stream, rows.layout(), rounded ? Dtype::float32 : dtype);
    hand_over_to(sink);
  };
  if (request.format == ExportFormat::jsonl) {
    // Records list all tokens of a sentence.
    require_all_tokens(rows.manifest(), request.run);
    if (request.output.empty()) {
      write_jsonl(standard_output);
    } else {
      AtomicFile file = begin_file(request.output, request.overwrite);
      listener.note(file.warning());
      const Descriptor descriptor = open_descriptor(file.temporary_path(), O_WRONLY);
      Stream stream(descriptor.get(), request.output);
      write_jsonl(stream);
      if (whole) file.publish();
    }
  } else if (request.output.empty()) {
    if (const std::string reason = not_in_numpy(dtype); !reason.empty()) {
      const bool storable = !format_of(dtype).npy.empty();  // int8; a second file has its scales
      throw RequestError(reason + "; choose another --dtype, or " +
                         (storable ? "a file (-o PATH)" : "--format safetensors with -o PATH"));
    }
    const bool pooled = !component(rows.manifest().provenance, shard_format::kPooling).empty();
    NpySink sink(standard_output, rows.layout(), dtype,
                 pooled ? StreamRows::stored_pooled : StreamRows::tokens);
    hand_over_to(sink);
  } else {
    const bool npy = request.format == ExportFormat::npy;
    if (npy && format_of(dtype).npy.empty()) {
      throw RequestError(not_in_numpy(dtype) + "; choose another --dtype, or --format safetensors");
    }
    const ArrayShapes shapes{rows.layout(), dtype, rows.tokens(), rows.sentences()};
    const std::unique_ptr<ArraySink> sink =
        npy ? make_npy_files(request.output, shapes, request.overwrite)
            : make_safetensors_file(request.output, shapes, rows.manifest().provenance,
                                    request.overwrite);
    listener.note(sink->warning());
    hand_over_to(*sink);
  }
  return whole ? std::optional(rows.handed_over()) : std::nullopt;
}

}  // namespace elmo

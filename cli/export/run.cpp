#include "cli/export/run.h"

#include <fcntl.h>

#include <memory>
#include <utility>

#include "cli/common/run_settings.h"
#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/descriptor.h"
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

class Export {
 public:
  Export(const ExportRequest& request, RunListener& listener, const std::atomic<bool>& stop)
      : request_(request),
        listener_(listener),
        stop_(stop),
        rows_(request.run, mixing_of(request)),
        dtype_(request.dtype.value_or(rows_.manifest().dtype)) {}

  /// Each returns false if it was stopped.
  bool into_arrays();
  bool into_records();
  bool into_stream(Stream& stream);

  std::uint64_t tokens() const { return rows_.handed_over(); }

 private:
  bool hand_over(ActivationSink& sink);
  /// Records list all tokens of a sentence, so the run must have all tokens.
  bool into_jsonl(Stream& stream);

  const ExportRequest& request_;
  RunListener& listener_;
  const std::atomic<bool>& stop_;
  RunRows rows_;
  Dtype dtype_;
};

bool Export::hand_over(ActivationSink& sink) {
  const ProgressScope scope(listener_);
  if (!rows_.hand_over(0, rows_.sentences(), sink, dtype_, "", listener_, stop_)) return false;
  sink.finish();
  return true;
}

bool Export::into_arrays() {
  const bool npy = request_.format == ExportFormat::npy;
  if (npy && format_of(dtype_).npy.empty()) {
    throw RequestError(not_in_numpy(dtype_) + "; choose another --dtype, or --format safetensors");
  }
  const ArrayShapes shapes{rows_.layout(), dtype_, rows_.tokens(), rows_.sentences()};
  const std::unique_ptr<ArraySink> sink =
      npy ? make_npy_files(request_.output, shapes, request_.overwrite)
          : make_safetensors_file(request_.output, shapes, rows_.manifest().provenance,
                                  request_.overwrite);
  listener_.note(sink->warning());
  return hand_over(*sink);
}

bool Export::into_jsonl(Stream& stream) {
  // Numbers that are already rounded to the dtype stay unchanged.
  const bool rounded = !rows_.mixed() && dtype_ == rows_.manifest().dtype;
  JsonlSink sink(stream, rows_.layout(), rounded ? Dtype::float32 : dtype_);
  return hand_over(sink);
}

bool Export::into_records() {
  require_all_tokens(rows_.manifest(), request_.run);
  AtomicFile file = begin_file(request_.output, request_.overwrite);
  const Descriptor descriptor = open_descriptor(file.temporary_path(), O_WRONLY);
  Stream stream(descriptor.get(), request_.output);
  if (!into_jsonl(stream)) return false;
  file.publish();
  return true;
}

bool Export::into_stream(Stream& stream) {
  if (request_.format == ExportFormat::jsonl) {
    require_all_tokens(rows_.manifest(), request_.run);
    return into_jsonl(stream);
  }
  if (const std::string reason = not_in_numpy(dtype_); !reason.empty()) {
    throw RequestError(reason + "; choose another --dtype, or a file (-o PATH)");
  }
  NpySink sink(stream, rows_.layout(), dtype_);
  return hand_over(sink);
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
  Export run(request, listener, stop);
  const bool whole = request.output.empty()                  ? run.into_stream(standard_output)
                     : request.format == ExportFormat::jsonl ? run.into_records()
                                                             : run.into_arrays();
  return whole ? std::optional(run.tokens()) : std::nullopt;
}

}  // namespace elmo

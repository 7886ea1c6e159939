#include "cli/export/run.h"

#include <fcntl.h>

#include <memory>

#include "cli/common/run_rows.h"
#include "cli/common/run_settings.h"
#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/descriptor.h"
#include "io/sinks/arrays.h"
#include "io/sinks/stream_sinks.h"

namespace elmo {
namespace {

[[noreturn]] void refuse_bfloat16() {
  throw RequestError("NumPy has no bfloat16; choose another --dtype, or --format safetensors");
}

class Export {
 public:
  Export(const ExportRequest& request, RunListener& listener, const std::atomic<bool>& stop)
      : listener_(listener),
        stop_(stop),
        rows_(request.run, request.layers),
        run_(request.run),
        dtype_(request.dtype.value_or(rows_.manifest().dtype)) {}

  /// Each returns false if it was stopped.
  bool into(const ArrayOutput& output);
  bool into(const RecordOutput& output);
  bool into(const SentenceStream& output);

  std::uint64_t tokens() const { return rows_.handed_over(); }

 private:
  bool hand_over(ActivationSink& sink);
  /// Records list all tokens of a sentence, so the run must have all tokens.
  bool into_jsonl(Stream& stream);

  RunListener& listener_;
  const std::atomic<bool>& stop_;
  RunRows rows_;
  std::string run_;
  Dtype dtype_;
};

bool Export::hand_over(ActivationSink& sink) {
  const ProgressScope scope(listener_);
  if (!rows_.hand_over(0, rows_.sentences(), sink, dtype_, "", listener_, stop_)) return false;
  sink.finish();
  return true;
}

bool Export::into(const ArrayOutput& output) {
  const bool npy = output.format == ArrayFormat::npy;
  if (npy && dtype_ == Dtype::bfloat16) refuse_bfloat16();
  const ArrayShapes shapes{rows_.layout(), dtype_, rows_.tokens(), rows_.sentences()};
  const std::unique_ptr<ArrayFiles> files =
      npy ? make_npy_files(output.path, shapes, output.overwrite)
          : make_safetensors_file(output.path, shapes, rows_.manifest().provenance,
                                  output.overwrite);
  listener_.note(files->warning());
  ArraySink sink(*files, shapes);
  return hand_over(sink);
}

bool Export::into_jsonl(Stream& stream) {
  // Numbers that are already rounded to the dtype stay unchanged.
  const bool rounded = !rows_.mixed() && dtype_ == rows_.manifest().dtype;
  JsonlSink sink(stream, rows_.layout(), rounded ? Dtype::float32 : dtype_);
  return hand_over(sink);
}

bool Export::into(const RecordOutput& output) {
  require_all_tokens(rows_.manifest(), run_);
  AtomicFile file = begin_file(output.path, output.overwrite);
  const Descriptor descriptor = open_descriptor(file.temporary_path(), O_WRONLY);
  Stream stream(descriptor.get(), output.path);
  if (!into_jsonl(stream)) return false;
  file.publish();
  return true;
}

bool Export::into(const SentenceStream& output) {
  if (output.format == StreamFormat::jsonl) {
    require_all_tokens(rows_.manifest(), run_);
    return into_jsonl(*output.stream);
  }
  if (dtype_ == Dtype::bfloat16) refuse_bfloat16();
  if (!is_numpy(dtype_)) {
    throw RequestError(
        "a stream of arrays has no place for the scales of int8; choose another --dtype, or a file "
        "(-o PATH)");
  }
  NpySink sink(*output.stream, rows_.layout(), dtype_);
  return hand_over(sink);
}

}  // namespace

std::optional<std::uint64_t> run_export(const ExportRequest& request, RunListener& listener,
                                        const std::atomic<bool>& stop) {
  Export run(request, listener, stop);
  const bool whole =
      std::visit([&](const auto& output) { return run.into(output); }, request.output);
  return whole ? std::optional(run.tokens()) : std::nullopt;
}

}  // namespace elmo

#include "io/engine/export.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "io/engine/run_settings.h"
#include "io/files/paths.h"
#include "io/shard/format.h"

namespace elmo {
namespace {

/// Returns how the layers are mixed; nothing if they stay as in the run.
std::optional<LayerMixing> mixing_of(const ExportRequest& request) {
  if (!request.layers) return std::nullopt;
  EmbedOptions options = request.mixing;
  options.layers = *request.layers;
  return layer_mixing(std::move(options), request.task);
}

/// Throws RequestError if the form cannot be written to the request's output.
void check_output(const ExportRequest& request) {
  if (!request.output.empty() && lies_in(request.output, request.run)) {
    throw RequestError(Setting{"output"} + ": " + request.output +
                       " lies in the run itself; choose a file elsewhere");
  }
  if (request.output.empty() && !request.format->to_stream) {
    throw RequestError(std::string(request.format->name) +
                       " cannot be written to standard output; use " + Setting{"output"} + " PATH");
  }
}

/// Throws RequestError if the form cannot hold the dtype.
void check_dtype(const ExportRequest& request, Dtype dtype) {
  const OutputFormat& format = *request.format;
  const bool stream = request.output.empty();
  const std::string reason = format.refusal(dtype, stream);
  if (reason.empty()) return;
  if (stream && format.refusal(dtype, false).empty()) {
    throw RequestError(reason + "; choose another " + Setting{"dtype"} + ", or a file (" +
                       Setting{"output"} + " PATH)");
  }
  std::vector<std::string> others;
  for (const OutputFormat& other : output_formats()) {
    const bool fits = other.exported && (other.to_stream || !stream);
    if (fits && other.refusal(dtype, stream).empty()) others.emplace_back(other.name);
  }
  throw RequestError(reason + "; choose another " + Setting{"dtype"} + ", or " + Setting{"format"} +
                     " " + alternatives(std::move(others)));
}

}  // namespace

std::optional<std::uint64_t> run_export(const ExportRequest& request, Stream* stream,
                                        RunListener& listener, const std::atomic<bool>& stop) {
  check_output(request);
  RunRows rows(request.run, mixing_of(request));
  const Manifest& run = rows.manifest();
  const Dtype dtype = request.dtype.value_or(run.dtype);
  if (request.format->all_tokens) require_all_tokens(run, request.run);
  check_dtype(request, dtype);
  const bool pooled = !component(run.provenance, shard_format::kPooling).empty();
  const std::unique_ptr<OutputSink> sink = request.format->open(
      {.path = request.output, .stream = stream, .overwrite = request.overwrite},
      {.layout = rows.layout(),
       .dtype = dtype,
       .kind = pooled ? RowKind::stored_pooled : RowKind::tokens,
       .rounded = !rows.mixed() && dtype == run.dtype,
       .counts = RowCounts{rows.tokens(), rows.sentences()},
       .about = run.provenance});
  listener.note(sink->warning());
  const bool whole = rows.hand_over(0, rows.sentences(), *sink, dtype, "", listener, stop);
  if (whole) sink->finish();
  listener.progress_ended();
  return whole ? std::optional(rows.handed_over()) : std::nullopt;
}

}  // namespace elmo

#include "cli/run/embed_request.h"

namespace elmo {
namespace {

RowChoice choice_of(const EveryToken& rows) { return {.boundaries = rows.boundaries}; }
RowChoice choice_of(const ChosenTokens& rows) { return {.query = &rows.query}; }
RowChoice choice_of(const SampledTokens& rows) {
  return {.query = rows.query ? &*rows.query : nullptr, .sample = &rows};
}
RowChoice choice_of(const PooledTokens& rows) {
  return {.query = rows.query ? &*rows.query : nullptr, .pool = rows.pool};
}

template <typename... Kinds>
RowChoice choice_of(const std::variant<Kinds...>& rows) {
  return std::visit([](const auto& kind) { return choice_of(kind); }, rows);
}

RowChoice choice_in(const ShardOutput& output) { return choice_of(output.rows); }
RowChoice choice_in(const AllenNlpOutput& output) { return {.boundaries = output.boundaries}; }
RowChoice choice_in(const StreamOutput& output) { return choice_of(output.rows); }
RowChoice choice_in(const WordAverageOutput& output) { return choice_of(output.tokens); }

}  // namespace

RowChoice row_choice(const EmbedOutput& output) {
  return std::visit([](const auto& kind) { return choice_in(kind); }, output);
}

RowChoice row_choice(const ShardOutput& output) { return choice_in(output); }

std::string written_path(const EmbedOutput& output) {
  if (const auto* shards = std::get_if<ShardOutput>(&output)) return shards->folder;
  if (const auto* file = std::get_if<AllenNlpOutput>(&output)) return file->path;
  if (const auto* words = std::get_if<WordAverageOutput>(&output)) return words->path;
  return "";
}

InputOptions reading(const EmbedRequest& request) {
  InputOptions input = request.input;
  input.written = written_path(request.output);
  const auto* shards = std::get_if<ShardOutput>(&request.output);
  if (shards == nullptr || !shards->part) return input;
  input.part = shards->part;
  // A row stands for the whole of its document.
  const std::optional<PoolOptions> pool = row_choice(request.output).pool;
  input.whole_documents = pool && pool->unit == PoolUnit::document;
  return input;
}

Dtype output_dtype(const EmbedOutput& output) {
  if (const auto* shards = std::get_if<ShardOutput>(&output)) return shards->dtype;
  if (const auto* stream = std::get_if<StreamOutput>(&output)) return stream->dtype;
  return Dtype::float32;
}

EmbedOptions computing(const EmbedRequest& request) {
  const RowChoice rows = row_choice(request.output);
  const Dtype dtype = output_dtype(request.output);
  EmbedOptions options = request.embed;
  options.pool = rows.pool;
  options.boundaries = rows.boundaries;
  options.value_bytes = dtype_bytes(dtype);
  options.value_limit = dtype_limit(dtype);
  return options;
}

}  // namespace elmo

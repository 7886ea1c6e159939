#include "cli/embed/request.h"

namespace elmo {
namespace {

template <typename... Kinds>
RowChoice choice_of(const std::variant<Kinds...>& content);

RowChoice choice_of(const EveryToken& rows) { return {.boundaries = rows.boundaries}; }
RowChoice choice_of(const ChosenTokens& rows) { return {.query = &rows.query}; }
RowChoice choice_of(const PooledTokens& rows) {
  return {.query = rows.query ? &*rows.query : nullptr, .pool = rows.pool};
}
RowChoice choice_of(const SampledTokens& rows) {
  return {.query = rows.query ? &*rows.query : nullptr, .sample = &rows, .start = rows.start};
}
template <typename RowsOfIt>
RowChoice choice_of(const WholeText<RowsOfIt>& text) {
  RowChoice choice = choice_of(text.rows);
  choice.start = text.start;
  return choice;
}
RowChoice choice_of(const TextPart& text) {
  RowChoice choice = choice_of(text.rows);
  choice.start = text.start;
  choice.part = text.part;
  return choice;
}
RowChoice choice_of(const ResumableShards& shards) { return choice_of(shards.text); }
RowChoice choice_of(const SampleShards& shards) { return choice_of(shards.tokens); }
RowChoice choice_of(const ShardOutput& output) { return choice_of(output.content); }
RowChoice choice_of(const AllenNlpOutput& output) { return choice_of(output.text); }
RowChoice choice_of(const StreamOutput& output) { return choice_of(output.content); }
RowChoice choice_of(const WordAverageOutput& output) { return choice_of(output.content); }

template <typename... Kinds>
RowChoice choice_of(const std::variant<Kinds...>& content) {
  return std::visit([](const auto& kind) { return choice_of(kind); }, content);
}

}  // namespace

RowChoice row_choice(const EmbedOutput& output) { return choice_of(output); }

RowChoice row_choice(const ShardOutput& output) { return choice_of(output); }
RowChoice row_choice(const StreamOutput& output) { return choice_of(output); }

RunMode run_mode(const ShardOutput& output) {
  if (const auto* shards = std::get_if<ResumableShards>(&output.content)) return shards->mode;
  const bool overwrite = std::get<SampleShards>(output.content).overwrite;
  return overwrite ? RunMode::overwrite : RunMode::create;
}

std::string written_path(const EmbedOutput& output) {
  if (const auto* shards = std::get_if<ShardOutput>(&output)) return shards->folder;
  if (const auto* file = std::get_if<AllenNlpOutput>(&output)) return file->path;
  if (const auto* words = std::get_if<WordAverageOutput>(&output)) return words->path;
  return "";
}

InputOptions reading(const EmbedRequest& request) {
  InputOptions input = request.input;
  input.written = written_path(request.output);
  const auto* const file = std::get_if<AllenNlpOutput>(&request.output);
  input.keep_lines = file != nullptr && !file->forget_sentences;
  const RowChoice rows = row_choice(request.output);
  if (!rows.part) return input;
  input.part = rows.part;
  // A row is made of a whole document.
  input.whole_documents = rows.pool && rows.pool->unit == PoolUnit::document;
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
  if (const auto* carried = std::get_if<CarriedState>(&rows.start)) {
    options.initial_state = InitialState::carry;
    options.lanes = carried->lanes;
  } else {
    const bool warm = std::get<OwnState>(rows.start) == OwnState::warm;
    options.initial_state = warm ? InitialState::warm : InitialState::zero;
  }
  options.value_bytes = dtype_bytes(dtype);
  options.value_limit = dtype_limit(dtype);
  return options;
}

}  // namespace elmo

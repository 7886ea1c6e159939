#include "cli/embed/fingerprint.h"

#include "cli/common/input_notes.h"
#include "cli/common/run_fingerprint.h"
#include "io/files/checksum.h"
#include "io/json/json.h"
#include "io/model/options.h"
#include "io/shard/format.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

/// "words 2, list <hash>, match b.*, ignoring case".
std::string selection_text(const RowChoice& rows) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (rows.query && !rows.query->words.empty()) {
    Checksum list;
    for (const std::string& word : rows.query->words) list.add(word + '\0');
    add("words " + std::to_string(rows.query->words.size()) + ", list " + list.hex());
  }
  if (rows.query && !rows.query->expression.empty()) add("match " + rows.query->expression);
  if (rows.query && rows.query->ignore_case) add("ignoring case");
  if (rows.sample) {
    add("sample " + std::to_string(rows.sample->size) + ", seed " +
        std::to_string(rows.sample->seed));
  }
  return text;
}

/// "mean by document".
std::string pooling_text(const PoolOptions& pool) {
  return std::string(kPoolKinds.word(pool.kind)) + " by " + std::string(kPoolUnits.word(pool.unit));
}

}  // namespace

Provenance run_fingerprint(const EmbedRequest& request, const ShardOutput& output,
                           const ModelOptions& model, const std::string& model_hash) {
  const RowChoice rows = row_choice(output);
  const InputOptions input = reading(request);
  Provenance fingerprint =
      computing_fingerprint(computing(request), request.precision, model, model_hash);
  fingerprint.insert(fingerprint.end(),
                     {{"max_sentence_tokens", std::to_string(request.max_sentence_tokens)},
                      {"tokenizer", to_string(describe_tokenizer(input))},
                      {"input_format", input_format_text(input)},
                      {"input", input_files_text(input)},
                      {"shard_size", std::to_string(output.shard_bytes)}});
  if (input.part) {
    fingerprint.emplace_back(shard_format::kInputSample,
                             input_sample(list_input_files(input.files, nullptr, input.written)));
  }
  if (rows.selected()) fingerprint.emplace_back(shard_format::kSelection, selection_text(rows));
  if (rows.pool) fingerprint.emplace_back(shard_format::kPooling, pooling_text(*rows.pool));
  return fingerprint;
}

}  // namespace elmo

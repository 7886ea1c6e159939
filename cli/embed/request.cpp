#include "cli/embed/request.h"

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "io/outputs/outputs.h"

namespace elmo {
namespace {

void check_selection(const EmbedFlags& flags) {
  const EmbedRequest& request = flags.request;
  const bool words = !request.words.empty() || !request.expression.empty();
  check_rules(flags.given, {{"--ignore-case", words, "--words or --match"},
                            {"--seed", request.sample > 0, "--sample N"},
                            {"--pool-by", flags.pool.has_value(), "--pool"},
                            {"--unit-length", flags.pool.has_value(), "--pool"},
                            {"--min-count", flags.average_words, "--average-words"}});
}

void check_output(const EmbedFlags& flags, const OutputFormat& format) {
  const bool folder = !flags.request.output.empty();
  const bool written = folder || (flags.dry_run && !format.to_stream);
  const bool by_layout = flags.layout == shards_format().name;
  const bool shards = by_layout && !flags.average_words;
  const char* const path = "-o PATH";
  const char* const rows = "--layout shards or --format";
  const std::string only_shards =
      flags.average_words ? "shards, without --average-words" : "--layout shards";
  check_rules(flags.given, {{"--layout", written, path},
                            {"--compression", written, path},
                            {"--shard-size", written, path},
                            {"--forget-sentences", written, path},
                            {"--resume", written, path},
                            {"--overwrite", written, path},
                            {"--words", by_layout, rows},
                            {"--match", by_layout, rows},
                            {"--sample", by_layout, rows},
                            {"--pool", by_layout, rows},
                            {"--average-words", by_layout, rows},
                            {"--format", (!folder && by_layout) || flags.average_words,
                             "standard output (> FILE instead of -o FILE)"},
                            {"--shard-size", shards, only_shards},
                            {"--resume", shards, only_shards},
                            {"--compression", shards, only_shards},
                            {"--dtype", !format.of_words, only_shards},
                            {"--forget-sentences", !by_layout, "--layout allennlp"},
                            {"--json", flags.dry_run, "--dry-run"}});
  if (flags.resume && flags.overwrite) {
    throw RequestError("use --resume or --overwrite, not both");
  }
  if (flags.dry_run && flags.resume) {
    throw RequestError("--dry-run with --resume: a dry run plans a whole run");
  }
}

void check_parts(const EmbedFlags& flags) {
  if (flags.given.contains("--parts") != flags.given.contains("--part")) {
    throw RequestError(
        "--parts is the number of parts, --part the number of the one to embed; give both or "
        "neither");
  }
  if (flags.parts == 0) return;
  if (flags.part >= flags.parts) {
    throw RequestError("--part " + std::to_string(flags.part) + " of --parts " +
                       std::to_string(flags.parts) + "; expected 0 to " +
                       std::to_string(flags.parts - 1));
  }
  check_rules(flags.given, {{"--parts", !flags.request.output.empty() || flags.dry_run, "-o PATH"},
                            {"--parts", flags.layout == shards_format().name, "--layout shards"}});
}

/// Returns the names of the forms of word averages.
std::string word_formats() {
  std::vector<std::string> names;
  for (const OutputFormat& format : output_formats()) {
    if (format.of_words) names.emplace_back(format.name);
  }
  return alternatives(std::move(names));
}

/// Returns the form of word averages by --format or the file's name, or word2vec-text if neither
/// says it.
const OutputFormat& word_format(const EmbedFlags& flags) {
  if (!flags.format.empty()) {
    const OutputFormat& format = output_format(flags.format);
    if (format.of_words) return format;
    throw RequestError("--format with --average-words: expected " + word_formats());
  }
  if (const OutputFormat* const format = word_format_of(flags.request.output)) return *format;
  return output_format("word2vec-text");
}

/// Throws RequestError if neither --format nor the file's name says the form of word averages.
void check_word_format(const EmbedFlags& flags) {
  const std::string& output = flags.request.output;
  if (!flags.average_words || flags.dry_run || output.empty()) return;
  if (!flags.format.empty() || word_format_of(output) != nullptr) return;
  throw RequestError("-o " + output +
                     ": the name does not tell the format; end it in .txt, .vec, .bin, .arrow or "
                     ".arrows, or give --format " +
                     word_formats());
}

const OutputFormat& format_of(const EmbedFlags& flags) {
  if (flags.average_words) return word_format(flags);
  if (flags.layout != shards_format().name) return output_format(flags.layout);
  if (flags.format.empty()) return shards_format();
  const OutputFormat& format = output_format(flags.format);
  if (format.to_stream) return format;
  throw RequestError("--format " + flags.format + " has one vector per word; use --average-words");
}

}  // namespace

EmbedRequest request_of(const EmbedFlags& flags) {
  EmbedRequest request = flags.request;
  request.format = &format_of(flags);
  if (flags.parts > 0) request.input.part = InputPart{flags.part, flags.parts};
  if (flags.pool) request.embed.pool = PoolOptions{*flags.pool, flags.pool_by, flags.unit_length};
  request.mode = run_mode(flags.resume, flags.overwrite);
  check_input_flags(flags.given, request.input);
  check_mixing_flags(flags.given, request.embed.layers, request.mix);
  check_initial_state(flags.given, request.embed.initial_state);
  check_selection(flags);
  validate(request);
  check_output(flags, *request.format);
  check_parts(flags);
  check_word_format(flags);
  return request;
}

}  // namespace elmo

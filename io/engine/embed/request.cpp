#include "io/engine/embed/request.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "io/files/paths.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

constexpr const char* kNoWords = "`<S>` and `</S>` are not words of the text";
constexpr OptionConflict kConflicts[] = {
    {"--sample", "--resume",
     "a sample is drawn from the whole text before anything is computed, so there is nothing to "
     "resume; start again with --overwrite"},
    {"--sample", "--pool", "a random sample represents the corpus, not its sentences"},
    {"--average-words", "--pool", "word averages are computed from tokens, not from pooled rows"},
    {"--average-words", "--resume", "averages stay in memory until the end; start again"},
    {"--sample", "--parts",
     "a sample needs the whole text, but a part reads only its share; use --words, or sample each "
     "file separately"},
    {"--average-words", "--parts", "averages of parts cannot be merged"},
    {"--dry-run", "--resume", "a dry run plans a whole run"},
    {"--words", "--boundaries", kNoWords},
    {"--match", "--boundaries", kNoWords},
    {"--sample", "--boundaries", kNoWords},
    {"--average-words", "--boundaries", kNoWords},
    {"--pool", "--boundaries", kNoWords}};

void check_selection(const EmbedRequest& request) {
  const bool words = !request.words.empty() || !request.expression.empty();
  check_rules(request.given, {{"--ignore-case", words, "--words or --match"},
                              {"--seed", request.sample > 0, "--sample N"},
                              {"--pool-by", request.pool.has_value(), "--pool"},
                              {"--min-count", request.average_words, "--average-words"}});
  check_conflicts(request.given, kConflicts);
}

void check_output(const EmbedRequest& request) {
  const bool folder = !request.output.empty();
  const bool written = folder || (request.dry_run && output_of(request) != EmbedOutput::stream);
  const bool by_layout = request.layout == EmbedLayout::shards;
  const bool shards = by_layout && !request.average_words;
  const char* const path = "-o PATH";
  const char* const rows = "--layout shards or --format";
  const std::string only_shards =
      request.average_words ? "shards, without --average-words" : "--layout shards";
  check_rules(request.given,
              {{"--layout", written, path},
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
               {"--format", (!folder && by_layout) || request.average_words,
                "standard output (> FILE instead of -o FILE)"},
               {"--shard-size", shards, only_shards},
               {"--resume", shards, only_shards},
               {"--compression", shards, only_shards},
               {"--dtype", shards,
                request.average_words ? only_shards
                                      : "--layout shards or --format (allennlp holds float32)"},
               {"--forget-sentences", !by_layout, "--layout allennlp"},
               {"--json", request.dry_run, "--dry-run"}});
  if (request.resume && request.overwrite) {
    throw RequestError("use --resume or --overwrite, not both");
  }
  require_other_file(Setting::output, request.output, {request.words});
}

void check_parts(const EmbedRequest& request) {
  if (request.given.contains("--parts") != request.given.contains("--part")) {
    throw RequestError(
        "--parts is the number of parts, --part the number of the one to embed; give both or "
        "neither");
  }
  if (request.parts == 0) return;
  if (request.part >= request.parts) {
    throw RequestError("--part " + std::to_string(request.part) + " of --parts " +
                       std::to_string(request.parts) + "; expected 0 to " +
                       std::to_string(request.parts - 1));
  }
  check_rules(request.given,
              {{"--parts", !request.output.empty() || request.dry_run, "-o PATH"},
               {"--parts", request.layout == EmbedLayout::shards, "--layout shards"}});
  if (request.model.model == kAutoModel && request.input.request.locale.empty()) {
    throw RequestError(
        "--model auto chooses by the text, which differs between parts; name one model for all "
        "--parts, or the language with --locale");
  }
  if (request.pool && request.pool_by == PoolUnit::document &&
      traits_of(request.input.format).has_records) {
    throw RequestError(
        "--parts with --pool-by document: a record without an id is called by its line number, "
        "which a part does not know; embed each jsonl file as a whole");
  }
}

void check_stream(const EmbedRequest& request) {
  const bool npy = request.format == EmbedFormat::npy;
  if (!npy && request.format != EmbedFormat::jsonl) {
    throw RequestError("--format: word2vec formats have one vector per word; use --average-words");
  }
  if (const std::string reason = not_in_numpy(request.dtype); npy && !reason.empty()) {
    throw RequestError("--dtype " + std::string(kDtypes.word(request.dtype)) +
                       " with --format npy: " + reason +
                       "; choose another dtype, or shards (-o PATH)");
  }
}

void check_carried_state(const EmbedRequest& request) {
  if (request.embed.initial_state != InitialState::carry) return;
  if (request.sample > 0) {
    throw RequestError(
        "--sample with --initial-state carry: a state that is carried needs every sentence, "
        "and only those of the sample are computed; use --words, or another initial state");
  }
  if (request.parts > 0) {
    throw RequestError(
        "--initial-state carry hands the state from each sentence to the next through the whole "
        "input, so --parts cannot start in the middle");
  }
}

std::vector<std::string> listed_words(const std::string& list) {
  std::vector<std::string> words;
  for (const std::string_view part : split(list, ',')) {
    const std::string_view word = without_outer_blanks(part);
    if (word.empty()) {
      throw RequestError("--words " + list +
                         ": found an empty word; expected words with commas between them, or a "
                         "file with a word a line");
    }
    words.emplace_back(word);
  }
  return words;
}

}  // namespace

void validate(const EmbedRequest& request) {
  check_input_flags(request.given, request.input);
  check_mixing_flags(request.given, request.embed.layers, request.mix);
  check_initial_state(request.given, request.embed.initial_state);
  check_workers(request.embed.threads, request.embed.workers);
  check_selection(request);
  check_output(request);
  check_parts(request);
  switch (output_of(request)) {
    case EmbedOutput::words:
      if (request.output.empty() && !request.dry_run) {
        throw RequestError("--average-words needs a file to write; give it with -o FILE");
      }
      word_format(request);
      break;
    case EmbedOutput::stream:
      check_stream(request);
      break;
    case EmbedOutput::shards:
      if (request.output.empty() && !request.dry_run) {
        throw RequestError(
            "no output given: use -o PATH for files, or --format jsonl or npy for standard output");
      }
      break;
    case EmbedOutput::allennlp:
      break;
  }
  check_carried_state(request);
}

EmbedOutput output_of(const EmbedRequest& request) {
  if (request.average_words) return EmbedOutput::words;
  if (request.layout == EmbedLayout::allennlp) return EmbedOutput::allennlp;
  return request.format ? EmbedOutput::stream : EmbedOutput::shards;
}

std::optional<TokenQuery> token_query(const EmbedRequest& request) {
  if (request.words.empty() && request.expression.empty()) return std::nullopt;
  TokenQuery query;
  if (!request.words.empty()) {
    const bool names_file = is_there(request.words) && !is_folder(request.words);
    query.words = names_file ? read_word_list(request.words) : listed_words(request.words);
    std::ranges::sort(query.words);
    query.words.erase(std::unique(query.words.begin(), query.words.end()), query.words.end());
  }
  query.expression = request.expression;
  query.ignore_case = request.ignore_case;
  return query;
}

std::optional<InputPart> part_of(const EmbedRequest& request) {
  if (request.parts == 0) return std::nullopt;
  return InputPart{request.part, request.parts};
}

WordVectorFormat word_format(const EmbedRequest& request) {
  if (request.format == EmbedFormat::word2vec_text) return WordVectorFormat::text;
  if (request.format == EmbedFormat::word2vec_binary) return WordVectorFormat::binary;
  if (request.format) {
    throw RequestError("--format with --average-words: expected word2vec-text or word2vec-binary");
  }
  const std::string extension = std::filesystem::path(request.output).extension().string();
  if (extension == ".bin") return WordVectorFormat::binary;
  if (extension == ".txt" || extension == ".vec" || request.dry_run) return WordVectorFormat::text;
  throw RequestError("-o " + request.output +
                     ": the name does not tell the format; call it .txt, .vec or .bin, or give "
                     "--format word2vec-text or word2vec-binary");
}

Dtype output_dtype(const EmbedRequest& request) {
  const EmbedOutput output = output_of(request);
  const bool chosen = output == EmbedOutput::shards || output == EmbedOutput::stream;
  return chosen ? request.dtype : Dtype::float32;
}

InputOptions reading(const EmbedRequest& request) {
  InputOptions input = request.input;
  input.keep_lines = output_of(request) == EmbedOutput::allennlp && !request.forget_sentences;
  input.part = part_of(request);
  // A row is made of a whole document.
  input.whole_documents = input.part && request.pool && request.pool_by == PoolUnit::document;
  return input;
}

EmbedOptions computing(const EmbedRequest& request) {
  const Dtype dtype = output_dtype(request);
  EmbedOptions options = request.embed;
  if (request.pool) options.pool = PoolOptions{*request.pool, request.pool_by};
  options.value_bytes = format_of(dtype).bytes;
  options.value_limit = format_of(dtype).limit;
  return options;
}

}  // namespace elmo

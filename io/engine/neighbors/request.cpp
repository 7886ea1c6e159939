#include "io/engine/neighbors/request.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/h5/reader.h"
#include "io/labeled/bracketed_query.h"
#include "io/shard/format.h"
#include "io/shard/manifest.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

bool is_neither_file_nor_input(const std::string& name) {
  return name != kStandardInput && !is_there(name);
}

/// Separates the word of a map from the names of the corpus.
NeighborRequest sorted_out_map(const NeighborRequest& request) {
  NeighborRequest found = request;
  if (found.query.empty() && found.corpus.size() > 1 &&
      is_neither_file_nor_input(found.corpus.back())) {
    found.query = found.corpus.back();
    found.corpus.pop_back();
  }
  if (found.query.empty()) throw RequestError("--map: found no WORD; expected the word to show");
  return found;
}

/// Separates the query from the names of the corpus. --corpus takes all names up to the next
/// option, including a query after them: a name with brackets that is not a file is a query.
NeighborRequest sorted_out(const NeighborRequest& request) {
  if (!request.map.file.empty()) return sorted_out_map(request);
  NeighborRequest found = request;
  found.corpus.clear();
  for (const std::string& name : request.corpus) {
    if (!has_brackets(name) || is_there(name)) {
      found.corpus.push_back(name);
    } else if (found.query.empty()) {
      found.query = name;
    } else {
      throw RequestError("found the queries '" + found.query + "' and '" + name +
                         "'; expected one query, or none to read them from standard input");
    }
  }
  // A query without brackets would be treated as a file.
  if (found.query.empty() && found.corpus.size() > 1) {
    const std::string& last = found.corpus.back();
    if (is_neither_file_nor_input(last)) {
      throw RequestError("'" + last +
                         "' is neither a file nor a query: found no brackets; expected " +
                         "a sentence with one word in [brackets]");
    }
  }
  if (found.corpus.empty()) {
    throw RequestError("--corpus: found no run and no file; expected something to search");
  }
  for (const std::string& file : found.corpus) {
    if (found.query.empty() && can_be_read_only_once(file) && file == kStandardInput) {
      throw RequestError(
          "--corpus -: standard input cannot be both the corpus and the queries; give a query");
    }
  }
  return found;
}

/// Throws RequestError if the corpus has names of both a run and others, or an HDF5 file.
void check_corpus(const NeighborRequest& request) {
  if (names_run(request)) {
    if (request.corpus.size() == 1) return;
    throw RequestError("--corpus: found " + std::to_string(request.corpus.size()) +
                       " names, one of them a run of shards; expected one run, or files of text");
  }
  for (const std::string& path : request.corpus) {
    if (is_folder(path) && part_in(path)) require_manifest(path);  // throws: merge parts first
    if (!h5::is_hdf5(path)) continue;
    throw RequestError("--corpus: " + path +
                       " is an HDF5 file; expected the folder of a run, or text");
  }
}

void check_map(const NeighborRequest& request) {
  const std::string& file = request.map.file;
  std::vector<std::string> inputs = request.corpus;
  inputs.push_back(request.map.labels);
  require_other_file(Setting::map, file, inputs);
  if (request.map.labels == kStandardInput &&
      std::ranges::find(request.corpus, kStandardInput) != request.corpus.end()) {
    throw RequestError("--labels -: standard input cannot be both the corpus and its labels");
  }
  if (!names_run(request)) {
    require_other_file(Setting::map, file, files_of(locate_model(request.model)));
    return;
  }
  if (fs::path(file).extension() == ".html" || !lies_in(file, request.corpus.front())) return;
  throw RequestError("--map: " + file +
                     " lies in the run that is read; expected a name that ends " +
                     "in .html there");
}

/// Throws RequestError for options that cannot be combined. The request must be sorted out.
void validate(const NeighborRequest& request) {
  check_input_flags(request.given, request.input);
  const bool text = !names_run(request);
  const bool map = !request.map.file.empty();
  std::vector<OptionRule> rules;
  for (const char* option : {"--input-format", "--lines", "--tokenizer", "--locale", "--strict",
                             "--text-field", "--id-field", "--skip-bad-records"}) {
    rules.push_back({option, text, "a corpus of text; queries of a run are read like its text"});
  }
  for (const char* option : {"--model", "--options", "--weights", "--vocab", "--precision"}) {
    rules.push_back({option, text || !map, "a corpus of text; a run has its vectors already"});
  }
  for (const char* option : {"--sample", "--seed", "--labels"}) {
    rules.push_back({option, map, "--map"});
  }
  rules.push_back({"--column", !request.map.labels.empty(), "--labels"});
  check_rules(request.given, rules);
  static constexpr auto kConflicts = [] {
    constexpr const char* kAll = "a map shows all occurrences of a word";
    return std::array{OptionConflict{"--map", "--count", kAll},
                      OptionConflict{"--map", "--same-word", kAll},
                      OptionConflict{"--map", "--other-words", kAll},
                      OptionConflict{"--map", "--format", "a map is a page"}};
  }();
  check_conflicts(request.given, kConflicts);
  check_corpus(request);
  if (map) check_map(request);
}

}  // namespace

bool names_run(const NeighborRequest& request) {
  return std::ranges::any_of(request.corpus, [](const std::string& path) {
    return is_there(fs::path(path) / shard_format::kManifest);
  });
}

NeighborRequest checked_request(const NeighborRequest& request) {
  NeighborRequest sorted = sorted_out(request);
  validate(sorted);
  return sorted;
}

}  // namespace elmo

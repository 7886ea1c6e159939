#include "io/engine/neighbors/request.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/h5/reader.h"
#include "io/shard/format.h"
#include "io/shard/manifest.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/file_bytes.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// Throws RequestError if the corpus has names of both a run and others, or an HDF5 file.
void check_corpus(const NeighborRequest& request) {
  if (names_run(request)) {
    if (request.corpus.size() == 1) return;
    throw RequestError(Setting{"corpus"} + ": found " + std::to_string(request.corpus.size()) +
                       " names, one of them a run of shards; expected one run, or files of text");
  }
  for (const std::string& path : request.corpus) {
    if (is_folder(path) && part_in(path)) require_manifest(path);  // throws: merge parts first
    if (!h5::is_hdf5(path)) continue;
    throw RequestError(Setting{"corpus"} + ": " + path +
                       " is an HDF5 file; expected the folder of a run, or text");
  }
}

void check_map(const NeighborRequest& request) {
  const std::string& file = request.map.file;
  std::vector<std::string> inputs = request.corpus;
  inputs.push_back(request.map.labels);
  require_other_file(Setting{"map"}, file, inputs);
  if (request.map.labels == kStandardInput &&
      std::ranges::find(request.corpus, kStandardInput) != request.corpus.end()) {
    throw RequestError(Setting{"labels"} +
                       " -: standard input cannot be both the corpus and its labels");
  }
  if (!names_run(request)) return;
  if (fs::path(file).extension() == ".html" || !lies_in(file, request.corpus.front())) return;
  throw RequestError(Setting{"map"} + ": " + file +
                     " lies in the run that is read; expected a name that ends " +
                     "in .html there");
}

}  // namespace

bool names_run(const NeighborRequest& request) {
  return std::ranges::any_of(request.corpus, [](const std::string& path) {
    return is_there(fs::path(path) / shard_format::kManifest);
  });
}

void validate(const NeighborRequest& request) {
  const bool map = !request.map.file.empty();
  if (map && request.query.empty()) {
    throw RequestError(Setting{"map"} + ": found no WORD; expected the word to show");
  }
  if (request.corpus.empty()) {
    throw RequestError(Setting{"corpus"} +
                       ": found no run and no file; expected something to search");
  }
  if (request.query.empty() && std::ranges::count(request.corpus, kStandardInput) > 0) {
    throw RequestError(Setting{"corpus"} +
                       " -: standard input cannot be both the corpus and the queries; give a "
                       "query");
  }
  check_corpus(request);
  if (map) check_map(request);
}

}  // namespace elmo

#include "io/h5/probe.h"

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "io/h5/apart.h"
#include "io/h5/values.h"

namespace elmo::h5 {
namespace {

/// Ignores errors of the file: its reader reports them.
template <typename Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const std::exception&) {
  }
}

void read_values(const Dataset& dataset) {
  const DatasetInfo& info = dataset.info();
  const bool copied = info.element == Element::float32 || info.element == Element::float16 ||
                      info.element == Element::bfloat16;
  if (info.layout == "virtual" || (info.layout == "contiguous" && copied)) return;
  if (info.element == Element::string) {
    for_each_string(dataset, [](const std::string&) {});
  } else if (info.element != Element::other) {
    for_each_block(dataset, [](std::span<const std::byte>) {});
  }
}

/// Reads the object at `path` and everything below it.
void walk(const Reader& file, const std::string& path, int depth, ProbeScope scope) {
  constexpr int kMaxDepth = 16;  // hard links may form a cycle; no reader goes this deep
  std::optional<Dataset> dataset;
  attempt([&] { dataset = file.dataset(path); });
  if (dataset) {
    if (scope == ProbeScope::values) attempt([&] { read_values(*dataset); });
    return;
  }
  std::vector<std::string> links;
  attempt([&] { links = file.links(path); });
  if (depth == kMaxDepth) return;
  for (const std::string& link : links) walk(file, path + "/" + link, depth + 1, scope);
}

void read_as_readers_do(const Reader& file, ProbeScope scope) {
  for (const std::string& name : file.attributes()) {
    attempt([&] { file.string_attribute(name); });
    attempt([&] { file.strings_attribute(name); });
    attempt([&] { file.integer_attribute(name); });
  }
  walk(file, "", 0, scope);
}

}  // namespace

Reader open_probed(const std::filesystem::path& path, ProbeScope scope,
                   VirtualDatasets virtual_datasets, std::string name) {
  if (name.empty()) name = path.string();
  const Descriptor file = open_hdf5(path);
  const auto read = [&] {
    read_as_readers_do(Reader(file, name), scope);
    return std::string();
  };
  run_apart(name, limits_of_size(readable_size(file, name)), read, file);
  return Reader(file, std::move(name), virtual_datasets);
}

}  // namespace elmo::h5

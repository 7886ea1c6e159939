#include "io/train/checkpoint.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

#include "core/error.h"
#include "core/text.h"
#include "io/files/atomic_file.h"
#include "io/files/checksum.h"
#include "io/files/paths.h"
#include "io/h5/dataset.h"
#include "io/h5/screening.h"
#include "io/h5/writer.h"
#include "io/json/json_document.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCheckpointFormat = "elmo checkpoint";
constexpr std::uint64_t kCheckpointVersion = 1;
constexpr std::uint64_t kPositionNumbers = 3;
constexpr std::string_view kCheckpointParameters = "parameters/";  // trained arrays

using Shape = std::vector<std::uint64_t>;

/// Checksum of a checkpoint's content, including the boundaries between parts.
class Content {
 public:
  explicit Content(const Checkpoint& checkpoint) {
    number(checkpoint.step);
    number(checkpoint.tokens);
    number(checkpoint.positions.size());
    for (const LanePosition& position : checkpoint.positions) {
      number(position.epoch);
      number(position.sentence);
      number(position.step);
    }
    number(checkpoint.provenance.size());
    for (const auto& [name, value] : checkpoint.provenance) {
      text(name);
      text(value);
    }
    text(checkpoint.metadata);
  }

  /// Must be followed by the values of the array.
  void begin_array(const std::string& name, const Shape& shape) {
    text(name);
    number(shape.size());
    for (const std::uint64_t size : shape) number(size);
  }
  void values(std::span<const float> values) { checksum_.add(std::as_bytes(values)); }

  std::string hex() const { return checksum_.hex(); }

 private:
  void number(std::uint64_t value) { checksum_.add(std::as_bytes(std::span(&value, 1))); }
  void text(std::string_view value) {
    number(value.size());
    checksum_.add(value);
  }

  Checksum checksum_;
};

Shape shape_of(const StateArray& array) { return {array.shape.begin(), array.shape.end()}; }

std::string path_of(const std::string& array) { return "state/" + array; }

void write_provenance(h5::Writer& file, const Provenance& provenance) {
  std::vector<std::string> names;
  std::vector<std::string> values;
  for (const auto& [name, value] : provenance) {
    names.push_back(name);
    values.push_back(value);
  }
  file.write("fingerprint/names", names);
  file.write("fingerprint/values", values);
}

template <typename Value>
Value required(std::optional<Value> value, const h5::Reader& file, const char* attribute) {
  if (!value) {
    throw InputError(file.name() + ": the attribute " + attribute +
                     " is missing; expected a checkpoint of a training run");
  }
  return *std::move(value);
}

std::vector<std::string> read_strings(const h5::Reader& file, const std::string& path) {
  const h5::Dataset dataset = file.dataset(path);
  return dataset.read_strings(0, dataset.info().rows());
}

Provenance read_provenance(const h5::Reader& file) {
  std::vector<std::string> names = read_strings(file, "fingerprint/names");
  std::vector<std::string> values = read_strings(file, "fingerprint/values");
  if (names.size() != values.size()) {
    throw InputError(file.name() + ": its fingerprint has " + std::to_string(names.size()) +
                     " names and " + std::to_string(values.size()) +
                     " values; expected a value for each");
  }
  Provenance provenance;
  for (std::size_t i = 0; i < names.size(); ++i) {
    provenance.emplace_back(std::move(names[i]), std::move(values[i]));
  }
  return provenance;
}

std::vector<LanePosition> read_positions(const h5::Reader& file) {
  if (!file.exists("positions")) return {};
  const h5::Dataset dataset = file.dataset("positions");
  const h5::DatasetInfo& info = dataset.info();
  if (info.shape.size() != 2 || info.shape[1] != kPositionNumbers) {
    throw InputError(file.name() + ": positions is " + h5::shape_text(info.shape) +
                     "; expected three numbers for each lane");
  }
  std::vector<std::uint64_t> numbers(info.count());
  dataset.read_rows(0, info.rows(), std::span(numbers));
  std::vector<LanePosition> positions;
  for (std::size_t i = 0; i < numbers.size(); i += kPositionNumbers) {
    positions.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  }
  return positions;
}

/// Adds an array's values to the checksum, block by block. InputError if a parameter is not finite.
/// Optimizer states may be infinite: their sums of squares may have overflowed.
void add_values(const h5::Reader& file, const std::string& name, const h5::Dataset& dataset,
                Content& content) {
  constexpr std::uint64_t kBlockNumbers = std::uint64_t{1} << 18;
  const h5::DatasetInfo& info = dataset.info();
  const std::uint64_t row = std::max<std::uint64_t>(1, info.row_count());
  const std::uint64_t block_rows = std::max<std::uint64_t>(1, kBlockNumbers / row);
  std::vector<float> values;
  for (std::uint64_t first = 0; first < info.rows(); first += block_rows) {
    const std::uint64_t rows = std::min(block_rows, info.rows() - first);
    values.resize(rows * info.row_count());
    dataset.read_rows(first, rows, std::span(values));
    content.values(values);
    if (name.starts_with(kCheckpointParameters)) {
      require_finite(file.name(), path_of(name), info.shape, values, first * info.row_count());
    }
  }
}

/// Reads the whole file. InputError if its checksum is wrong.
void check_content(const h5::Reader& file) {
  Content content(read_checkpoint_head(file));
  for (const std::string& name : read_strings(file, "arrays")) {
    const h5::Dataset dataset = file.dataset(path_of(name));
    content.begin_array(name, dataset.info().shape);
    add_values(file, name, dataset, content);
  }
  const std::string expected = required(file.string_attribute("checksum"), file, "checksum");
  if (content.hex() != expected) {
    throw InputError(file.name() + ": has the checksum " + content.hex() + "; expected " +
                     expected + ". The file is damaged");
  }
}

void read_arrays(const h5::Reader& file, std::span<const StateArray> arrays) {
  std::map<std::string_view, h5::Dataset> datasets;
  const std::vector<std::string> names = read_strings(file, "arrays");
  for (const std::string& name : names) datasets.emplace(name, file.dataset(path_of(name)));
  // Checks everything before overwriting anything.
  for (const StateArray& array : arrays) {
    const auto found = datasets.find(array.name);
    if (found == datasets.end() || found->second.info().shape != shape_of(array)) {
      throw InputError(
          file.name() + ": " + array.name + " is " +
          (found == datasets.end() ? "missing" : h5::shape_text(found->second.info().shape)) +
          "; expected " + h5::shape_text(shape_of(array)));
    }
  }
  if (datasets.size() != arrays.size()) {
    throw InputError(file.name() + ": holds " + std::to_string(datasets.size()) +
                     " arrays; expected the " + std::to_string(arrays.size()) + " of this run");
  }
  for (const StateArray& array : arrays) datasets.at(array.name).read(array.values);
}

}  // namespace

void write_checkpoint_file(const fs::path& path, const Checkpoint& checkpoint,
                           std::span<const StateArray> arrays) {
  h5::Writer file(path);
  file.write_attribute("format", std::string_view(kCheckpointFormat));
  file.write_attribute("version", kCheckpointVersion);
  file.write_attribute("step", checkpoint.step);
  file.write_attribute("tokens", checkpoint.tokens);
  file.write_attribute("metadata", std::string_view(checkpoint.metadata));
  write_provenance(file, checkpoint.provenance);

  if (!checkpoint.positions.empty()) {
    std::vector<std::uint64_t> positions;
    for (const LanePosition& position : checkpoint.positions) {
      positions.insert(positions.end(), {position.epoch, position.sentence, position.step});
    }
    const Shape shape{checkpoint.positions.size(), kPositionNumbers};
    file.write("positions", shape, h5::Element::uint64, std::as_bytes(std::span(positions)));
  }

  std::vector<std::string> names;
  Content content(checkpoint);
  for (const StateArray& array : arrays) {
    names.push_back(array.name);
    content.begin_array(array.name, shape_of(array));
    content.values(array.values);
    file.write(path_of(array.name), shape_of(array), array.values);
  }
  file.write("arrays", names);
  file.write_attribute("checksum", std::string_view(content.hex()));
  file.close();
}

h5::Reader open_checkpoint_file(const fs::path& path) {
  const std::string name = path.string();
  const Descriptor file = h5::open_hdf5(path);
  const auto check = [&] {
    check_content(h5::Reader(file, path, name));
    return std::string();
  };
  h5::run_apart(name, h5::limits_of_size(h5::readable_size(file, name)), check, file);
  return h5::Reader(file, path, name);
}

Checkpoint read_checkpoint_head(const h5::Reader& file) {
  const std::string format = required(file.string_attribute("format"), file, "format");
  const std::uint64_t version = required(file.integer_attribute("version"), file, "version");
  if (format != kCheckpointFormat || version != kCheckpointVersion) {
    throw InputError(file.name() + ": is \"" + format + "\" of version " + std::to_string(version) +
                     "; expected \"" + kCheckpointFormat + "\" of version " +
                     std::to_string(kCheckpointVersion));
  }
  Checkpoint checkpoint;
  checkpoint.step = required(file.integer_attribute("step"), file, "step");
  checkpoint.tokens = required(file.integer_attribute("tokens"), file, "tokens");
  checkpoint.positions = read_positions(file);
  checkpoint.provenance = read_provenance(file);
  checkpoint.metadata = required(file.string_attribute("metadata"), file, "metadata");
  return checkpoint;
}

Checkpoint read_checkpoint_file(const h5::Reader& file, const Provenance& expected,
                                std::span<const StateArray> arrays) {
  Checkpoint checkpoint = read_checkpoint_head(file);
  const Message difference = training_difference(checkpoint.provenance, expected);
  if (!difference.empty()) {
    throw InputError(file.name() + " is of a run with other settings: " + difference +
                         "; continue with the same ones",
                     Remedy{"begin_anew"});
  }
  read_arrays(file, arrays);
  return checkpoint;
}

namespace {

constexpr std::string_view kCheckpointPrefix = "step-";
constexpr std::string_view kCheckpointSuffix = ".h5";

std::string file_name(std::uint64_t step) {
  constexpr std::size_t kDigits = 10;
  return std::string(kCheckpointPrefix) + padded(step, kDigits) + std::string(kCheckpointSuffix);
}

/// Returns the step of the checkpoint with that name; nothing for other names.
std::optional<std::uint64_t> step_of(std::string_view name) {
  if (!name.starts_with(kCheckpointPrefix) || !name.ends_with(kCheckpointSuffix))
    return std::nullopt;
  name.remove_prefix(kCheckpointPrefix.size());
  name.remove_suffix(kCheckpointSuffix.size());
  return number_of<std::uint64_t>(name);
}

bool is_unfinished(std::string_view name) {
  const std::optional<std::string> finished = finished_name(name);
  return finished && step_of(*finished);
}

/// Returns the folder of a run's checkpoints. Creates it if missing.
fs::path prepare_folder(const fs::path& run) {
  fs::path folder = run / kCheckpointsFolder;
  make_folder(folder);
  for (const std::string& name : names_in(folder)) {
    if (is_unfinished(name)) remove_path(folder / name);
  }
  return folder;
}

void remove_others(const fs::path& run, std::uint64_t step, std::size_t kept) {
  std::size_t found = 0;
  for (const fs::path& path : find_checkpoints(run)) {
    const bool later = step_of(path.filename().string()) > step;
    if (later || ++found > std::max<std::size_t>(kept, 1)) remove_path(path);
  }
}

}  // namespace

fs::path write_checkpoint(const fs::path& folder, const Checkpoint& checkpoint,
                          std::span<const StateArray> arrays, std::size_t kept) {
  const std::uint64_t step = checkpoint.step;
  const fs::path checkpoints = prepare_folder(folder);
  AtomicFile file(checkpoints / file_name(step));
  write_checkpoint_file(file.temporary_path(), checkpoint, arrays);
  file.publish();
  remove_others(folder, step, kept);
  return file.path();
}

std::vector<fs::path> find_checkpoints(const fs::path& folder) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (std::string& name : names_in(folder / kCheckpointsFolder)) {
    if (const auto step = step_of(name)) found.emplace_back(*step, std::move(name));
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> paths;
  paths.reserve(found.size());
  for (const auto& [step, name] : found) paths.push_back(folder / kCheckpointsFolder / name);
  return paths;
}

void remove_checkpoints(const fs::path& folder) {
  const fs::path checkpoints = folder / kCheckpointsFolder;
  for (const std::string& name : names_in(checkpoints)) {
    if (step_of(name) || is_unfinished(name)) remove_path(checkpoints / name);
  }
  remove_if_empty(checkpoints);
}

std::optional<RestoredCheckpoint> read_newest_checkpoint(const fs::path& folder,
                                                         const Provenance& expected,
                                                         std::span<const StateArray> arrays) {
  std::vector<std::string> damaged;
  for (const fs::path& path : find_checkpoints(folder)) {
    std::optional<h5::Reader> file;
    try {
      file = open_checkpoint_file(path);
    } catch (const InputError& error) {
      damaged.emplace_back(error.what());
      continue;
    }
    return RestoredCheckpoint{path, read_checkpoint_file(*file, expected, arrays),
                              std::move(damaged)};
  }
  if (damaged.empty()) return std::nullopt;
  std::string all = (folder / kCheckpointsFolder).string() + ": none of the checkpoints is sound:";
  for (const std::string& reason : damaged) all += "\n  " + reason;
  throw InputError(all);
}

Checkpoint checkpoint_of(const BilmState& state) {
  const StepMeans& means = state.means;
  const Json sums{means.steps,         means.last_step,     means.loss_forward,
                  means.loss_backward, means.gradient_norm, means.learning_rate};
  const auto& [step, tokens, positions] = state.counters;
  return {step, tokens, positions, {}, std::to_string(state.seconds) + ' ' + sums.dump()};
}

void read_state(const Checkpoint& checkpoint, BilmState& state) {
  const std::string_view text = checkpoint.metadata;
  state.counters = {checkpoint.step, checkpoint.tokens, checkpoint.positions};
  const std::size_t space = std::min(text.find(' '), text.size());
  state.seconds = std::strtod(std::string(text.substr(0, space)).c_str(), nullptr);
  const JsonDocument json(text.substr(space), "the means of the last steps", "six numbers");
  const std::vector<JsonNode> sums = json.root().elements();
  if (sums.size() != 6) json.root().refuse("six numbers");
  StepMeans& means = state.means;
  means.steps = sums[0].count();
  means.last_step = sums[1].count();
  means.loss_forward = sums[2].number();
  means.loss_backward = sums[3].number();
  means.gradient_norm = sums[4].number();
  means.learning_rate = sums[5].float_number();
}

}  // namespace elmo

#include "io/model/weights.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/inference/activations.h"
#include "core/kernels/convert.h"
#include "core/matrix.h"
#include "core/text.h"
#include "io/files/mapped_file.h"
#include "io/h5/dataset.h"
#include "io/h5/reader.h"
#include "io/h5/screening.h"
#include "io/h5/writer.h"
#include "io/json/json.h"
#include "io/model/tensorflow_weights.h"
#include "io/model/vocabulary.h"

namespace elmo {
namespace {

/// Formats the index of the i-th number: "[3, 17]".
std::string index_text(std::span<const std::uint64_t> shape, std::uint64_t i) {
  std::string text = "]";
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    text.insert(0, (axis > 0 ? ", " : "") + std::to_string(i % shape[axis]));
    i /= shape[axis];
  }
  return "[" + text;
}

}  // namespace

void require_finite(const std::string& file, const std::string& path,
                    std::span<const std::uint64_t> shape, std::span<const float> values,
                    std::uint64_t first) {
  const std::size_t index = first_out_of_range(values, std::numeric_limits<float>::infinity());
  if (index == values.size()) return;
  const float found = values[index];
  throw InputError(file + ": " + path + index_text(shape, first + index) + " is " +
                   (std::isnan(found) ? "NaN"
                    : found > 0       ? "infinite"
                                      : "minus infinite") +
                   "; expected finite numbers");
}

namespace {

/// A checked dataset of a parameter; its first `skipped_rows` are not part of the parameter.
struct FoundWeights {
  h5::Dataset dataset;
  std::uint64_t skipped_rows = 0;
};

std::vector<std::uint64_t> file_shape(const std::vector<std::int64_t>& shape) {
  return {shape.begin(), shape.end()};
}

/// Writes a contiguous dataset of the parameter's name and shape; float16 is rounded to nearest
/// even, and biases stay float32. InputError naming the dataset for a number that float16 would
/// make infinite; SystemError as Writer.
void write_parameter(h5::Writer& file, const Parameter& parameter, Dtype dtype) {
  const std::string& path = parameter.name;
  const std::vector<std::uint64_t> shape = file_shape(parameter.shape);
  const std::span<const float> values = parameter.values;
  if (dtype == Dtype::float32 || shape.size() == 1) return file.write(path, shape, values);
  const std::size_t beyond = first_out_of_range(values, format_of(dtype).limit);
  if (beyond < values.size()) {
    throw InputError(path + " holds " + number_text(values[beyond]) +
                     ", which float16 cannot hold; write float32");
  }
  Encoder encoder(dtype, values.size());
  file.write(path, shape, h5::Element::float16, encoder.encode(values));
}

/// Returns the path of a parameter in a file that bilm-tf wrote for a model with one layer; empty
/// for parameters outside LSTMs.
std::string one_layer_path(const std::string& name) {
  const std::string level = "MultiRNNCell/Cell0/";
  const std::size_t position = name.find(level);
  return position == std::string::npos ? "" : std::string(name).erase(position, level.size());
}

class WeightsFile {
 public:
  WeightsFile(const h5::Reader& file, const ModelOptions& options,
              std::vector<std::string>& remarks)
      : file_(file), options_(options), remarks_(remarks) {}

  FoundWeights find(const ParameterSpec& spec) {
    const std::vector<std::uint64_t> expected = file_shape(spec.shape);
    const std::string path = path_of(spec.name);
    if (!file_.exists(path)) {
      throw InputError(file_.name() + ": " + spec.name + " is missing; expected a dataset of " +
                       h5::shape_text(expected));
    }
    FoundWeights found{file_.dataset(path)};
    const h5::DatasetInfo& info = found.dataset.info();
    std::vector<std::uint64_t> with_mask = expected;
    with_mask[0] += 1;
    const bool has_mask = spec.role == ParameterRole::char_embedding && info.shape == with_mask;
    if (!info.is_float() || (info.shape != expected && !has_mask)) {
      throw InputError(file_.name() + ": " + path + " is " + info.type + " " +
                       h5::shape_text(info.shape) + "; expected float32 " +
                       h5::shape_text(expected) + ", as the model's options say");
    }
    if (has_mask) {
      found.skipped_rows = 1;
      add_once(remarks_, path + " has 262 rows: the row of the mask, its first, is dropped");
    }
    if (info.element != h5::Element::float32)
      add_once(remarks_, "parameters stored as " + info.type);
    if (!info.filters.empty())
      add_once(remarks_, "parameters stored compressed (" + info.filters + ")");
    return found;
  }

 private:
  std::string path_of(const std::string& name) {
    if (options_.lstm.n_layers != 1 || file_.exists(name)) return name;
    std::string path = one_layer_path(name);
    if (path.empty() || !file_.exists(path)) return name;
    add_once(remarks_, "the one layer's names lack MultiRNNCell/Cell0");
    return path;
  }

  const h5::Reader& file_;
  const ModelOptions& options_;
  std::vector<std::string>& remarks_;
};

void infer_vocabulary_size(const h5::Reader& file, ModelOptions& options,
                           std::vector<std::string>& remarks) {
  if (options.char_cnn || options.n_tokens_vocab != 0) return;
  const std::uint64_t rows = file.dataset("embedding").info().rows();
  if (rows == 0 || rows > kMaxVocabulary) {
    throw InputError(file.name() + ": embedding has " + std::to_string(rows) +
                     " rows; expected one for each word");
  }
  options.n_tokens_vocab = static_cast<std::int64_t>(rows);
  remarks.push_back("n_tokens_vocab is not said; taken as " + std::to_string(rows) +
                    ", the rows of embedding");
}

/// Finds the datasets of all parameters, in the order of parameter_list.
std::vector<FoundWeights> find_all(const h5::Reader& file, ModelOptions& options,
                                   std::vector<std::string>& remarks) {
  infer_vocabulary_size(file, options, remarks);
  WeightsFile weights(file, options, remarks);
  std::vector<FoundWeights> datasets;
  std::uint64_t stored_bytes = 0;
  for (const ParameterSpec& spec : parameter_list(options).specs) {
    datasets.push_back(weights.find(spec));
    stored_bytes += datasets.back().dataset.info().storage_bytes;
  }
  // If many names led to one dataset, a small file could fill the memory with copies of it.
  if (stored_bytes > file.bytes()) {
    throw InputError(file.name() + ": its datasets claim " + std::to_string(stored_bytes) +
                     " bytes in a file of " + std::to_string(file.bytes()) +
                     "; expected each parameter to have its own");
  }
  return datasets;
}

/// Returns the memory type of HDF5 numbers that can be mapped; nothing if they must be converted.
std::optional<FloatFormat> mappable_format(h5::Element element) {
  if (std::endian::native != std::endian::little) return std::nullopt;
  switch (element) {
    case h5::Element::float32:
      return FloatFormat::float32;
    case h5::Element::float16:
      return FloatFormat::float16;
    case h5::Element::bfloat16:
      return FloatFormat::bfloat16;
    default:
      return std::nullopt;
  }
}

/// Returns the numbers in the mapped file; null if no file is mapped or the numbers are not
/// contiguous there.
ParameterValues numbers_in(const std::shared_ptr<const MappedFile>& file,
                           const FoundWeights& found) {
  if (!file) return {};
  const h5::DatasetInfo& info = found.dataset.info();
  const std::optional<FloatFormat> type = mappable_format(info.element);
  if (!type || info.layout != "contiguous") return {};
  const std::vector<h5::StoredRows> stored = found.dataset.stored_rows(file->bytes());
  const std::size_t size = h5::element_bytes(info.element);
  const std::uint64_t bytes = info.count() * size;
  if (stored.empty() || stored[0].offset % size != 0 || bytes > file->bytes().size() ||
      stored[0].offset > file->bytes().size() - bytes) {
    return {};
  }
  const std::uint64_t skipped = found.skipped_rows * info.row_count() * size;
  const std::span<const std::byte> part =
      file->bytes().subspan(stored[0].offset + skipped, bytes - skipped);
  const auto release = [file, part](const std::byte*) { file->forget(part); };
  return {std::shared_ptr<const std::byte>(part.data(), release), *type};
}

/// Reads the numbers with HDF5 into memory of their own.
ParameterValues numbers_read(const FoundWeights& found) {
  const h5::DatasetInfo& info = found.dataset.info();
  const std::uint64_t rows = info.rows() - found.skipped_rows;
  const auto values = std::make_shared<AlignedVector<float>>(rows * info.row_count());
  found.dataset.read_rows(found.skipped_rows, rows, std::span<float>(*values));
  const std::byte* bytes = std::as_bytes(std::span(*values)).data();
  return {std::shared_ptr<const std::byte>(values, bytes), FloatFormat::float32};
}

/// Returns null if the file system cannot map files or there is no space; the numbers are then
/// read.
std::shared_ptr<const MappedFile> mapped_if_possible(const h5::Reader& file) {
  try {
    return std::make_shared<const MappedFile>(file.map());
  } catch (const SystemError&) {
    return nullptr;
  }
}

}  // namespace

StoredParameters read_weights(const std::filesystem::path& path, const std::string& name,
                              ModelOptions& options, std::vector<std::string>& remarks) {
  const h5::Reader file =
      h5::open_screened(path, h5::ScreeningScope::values, h5::VirtualDatasets::refused, name);
  const std::vector<FoundWeights> datasets = find_all(file, options, remarks);
  const std::shared_ptr<const MappedFile> mapped = mapped_if_possible(file);
  std::vector<ParameterValues> numbers;
  for (const FoundWeights& found : datasets) {
    numbers.push_back(numbers_in(mapped, found));
    if (!numbers.back().bytes) numbers.back() = numbers_read(found);
  }
  return {parameter_list(options), std::move(numbers)};
}

void require_finite(const std::string& name, const StoredParameters& parameters) {
  for (std::size_t i = 0; i < parameters.specs().size(); ++i) {
    const ParameterSpec& spec = parameters.specs()[i];
    std::uint64_t first = 0;
    parameters.for_each_piece(i, [&](std::span<const float> piece) {
      require_finite(name, spec.name, file_shape(spec.shape), piece, first);
      first += piece.size();
    });
  }
}

void write_weights(const std::filesystem::path& path, const Parameters& parameters, Dtype dtype) {
  h5::Writer file(path);
  for (const Parameter& parameter : parameters.all()) {
    write_parameter(file, parameter, dtype);
  }
  file.close();
}

namespace {

h5::Dataset find(const h5::Reader& file, const std::string& path,
                 const std::vector<std::int64_t>& shape, bool may_be_int8 = false) {
  const std::vector<std::uint64_t> expected = file_shape(shape);
  h5::Dataset dataset = file.dataset(path);
  const h5::DatasetInfo& info = dataset.info();
  const bool fits = info.is_float() || (may_be_int8 && info.element == h5::Element::int8);
  if (fits && info.shape == expected) return dataset;
  throw InputError(file.name() + ": " + path + " is " + info.type + " " +
                   h5::shape_text(info.shape) + "; expected float32 " + h5::shape_text(expected) +
                   ", a row for each word of the vocabulary as wide as the model's projection");
}

/// Maximum size of the file: float64, and space for HDF5's own data.
std::uint64_t max_bytes(std::int64_t words, std::int64_t projection) {
  constexpr std::uint64_t kOwn = std::uint64_t{1} << 24;
  return kOwn + sizeof(double) * static_cast<std::uint64_t>(words) *
                    static_cast<std::uint64_t>(projection + 1);
}

SoftmaxLayer read_hdf5_softmax(const ModelFile& stored, Vocabulary&& vocabulary,
                               std::int64_t projection) {
  const std::int64_t words = vocabulary.size();
  const LocalModelFile local(stored, max_bytes(words, projection));
  const h5::Reader file = h5::open_screened(local.path(), h5::ScreeningScope::values,
                                            h5::VirtualDatasets::refused, stored.name());
  const h5::Dataset weights = find(file, "softmax/W", {words, projection}, true);
  const h5::Dataset bias = find(file, "softmax/b", {words});
  SoftmaxLayer softmax(std::move(vocabulary), projection);
  if (weights.info().is_float()) {
    weights.read(softmax.weights.values);
  } else {
    std::vector<float> scales(static_cast<std::size_t>(words));
    find(file, "softmax/scales", {words}).read(scales);
    std::vector<std::int8_t> steps(softmax.weights.values.size());
    weights.read_rows(0, scales.size(), std::as_writable_bytes(std::span(steps)));
    from_scaled_int8(steps, scales, static_cast<std::size_t>(projection), softmax.weights.values);
  }
  bias.read(softmax.bias.values);
  return softmax;
}

}  // namespace

std::optional<SoftmaxLayer> read_softmax(const ModelLocation& location,
                                         const ModelOptions& options) {
  if (!location.softmax) return std::nullopt;
  const std::string name = location.softmax->name();
  if (!location.softmax_vocabulary) {
    throw InputError(name + " has no vocabulary.txt beside it; expected the words of its rows");
  }
  Vocabulary vocabulary =
      parse_vocabulary(location.softmax_vocabulary->content(kMaxVocabularyBytes),
                       location.softmax_vocabulary->name());
  const std::int64_t projection = options.lstm.projection_dim;
  SoftmaxLayer softmax =
      is_checkpoint(location.softmax->path)
          ? read_tensorflow_softmax(*location.softmax, std::move(vocabulary), projection)
          : read_hdf5_softmax(*location.softmax, std::move(vocabulary), projection);
  for (const Parameter* array : {&softmax.weights, &softmax.bias}) {
    require_finite(name, array->name, file_shape(array->shape), array->values);
  }
  return softmax;
}

void write_softmax(const std::filesystem::path& path, const SoftmaxLayer& softmax, Dtype dtype) {
  h5::Writer file(path);
  for (const Parameter* array : {&softmax.weights, &softmax.bias}) {
    write_parameter(file, *array, dtype);
  }
  file.close();
}

}  // namespace elmo

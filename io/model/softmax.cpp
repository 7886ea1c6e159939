#include "io/model/softmax.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/h5/dataset.h"
#include "io/h5/probe.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/model/folder/array.h"
#include "io/model/folder/files.h"
#include "io/model/folder/vocabulary.h"

namespace elmo {
namespace {

constexpr const char* kWeights = "softmax/W";
constexpr const char* kBias = "softmax/b";

using Shape = std::vector<std::uint64_t>;

Shape weights_shape(std::int64_t words, std::int64_t projection) {
  return {static_cast<std::uint64_t>(words), static_cast<std::uint64_t>(projection)};
}

Shape bias_shape(std::int64_t words) { return {static_cast<std::uint64_t>(words)}; }

h5::Dataset find(const h5::Reader& file, const std::string& path, const Shape& expected) {
  h5::Dataset dataset = file.dataset(path);
  const h5::DatasetInfo& info = dataset.info();
  if (info.is_float() && info.shape == expected) return dataset;
  throw InputError(file.name() + ": " + path + " is " + info.type + " " +
                   h5::shape_text(info.shape) + "; expected float32 " + h5::shape_text(expected) +
                   ", a row for each word of the vocabulary as wide as the model's projection");
}

struct FoundSoftmax {
  h5::Dataset weights;
  h5::Dataset bias;
};

FoundSoftmax find_both(const h5::Reader& file, std::int64_t words, std::int64_t projection) {
  return {find(file, kWeights, weights_shape(words, projection)),
          find(file, kBias, bias_shape(words))};
}

/// Maximum size of the file: float64, and space for HDF5's own data.
std::uint64_t max_bytes(std::int64_t words, std::int64_t projection) {
  constexpr std::uint64_t kOwn = std::uint64_t{1} << 24;
  return kOwn + sizeof(double) * static_cast<std::uint64_t>(words) *
                    static_cast<std::uint64_t>(projection + 1);
}

}  // namespace

std::optional<SoftmaxLayer> read_softmax(const ModelLocation& location,
                                         const ModelOptions& options) {
  if (!location.softmax) return std::nullopt;
  const std::string name = model_file_name(location, *location.softmax);
  if (!location.softmax_vocabulary) {
    throw InputError(name + " has no vocabulary.txt beside it; expected the words of its rows");
  }
  Vocabulary vocabulary =
      parse_vocabulary(read_model_file(location, *location.softmax_vocabulary, kMaxVocabularyBytes),
                       model_file_name(location, *location.softmax_vocabulary));
  const std::int64_t words = vocabulary.size();
  const std::int64_t projection = options.lstm.projection_dim;
  const LocalModelFile local(location, *location.softmax, max_bytes(words, projection));
  const h5::Reader file =
      h5::open_probed(local.path(), h5::ProbeScope::values, h5::VirtualDatasets::refused, name);
  const FoundSoftmax found = find_both(file, words, projection);
  SoftmaxLayer softmax(std::move(vocabulary), projection);
  found.weights.read(softmax.weights.values);
  found.bias.read(softmax.bias.values);
  require_finite(name, kWeights, weights_shape(words, projection), softmax.weights.values);
  require_finite(name, kBias, bias_shape(words), softmax.bias.values);
  return softmax;
}

void write_softmax(const std::filesystem::path& path, const SoftmaxLayer& softmax, Dtype dtype) {
  const std::int64_t words = softmax.vocabulary.size();
  const std::int64_t projection = softmax.width();
  h5::Writer file(path);
  write_array(file, kWeights, weights_shape(words, projection), softmax.weights.values, dtype);
  write_array(file, kBias, bias_shape(words), softmax.bias.values, Dtype::float32);
  file.close();
}

}  // namespace elmo

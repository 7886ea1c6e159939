#include "io/model/model.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/model/cost.h"
#include "io/model/archive.h"
#include "io/model/fingerprint.h"
#include "io/model/vocabulary.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

void check_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw InputError("there is no file " + path.string());
  }
  if (status.type() != fs::file_type::regular) {
    throw InputError(path.string() + " is not a regular file; expected a file of a model");
  }
}

/// What a file holds. InputError where it is none, or larger than `max_bytes`.
std::string read_file(const fs::path& path, std::uint64_t max_bytes) {
  check_file(path);
  std::ifstream file(path, std::ios::binary);
  std::string content(static_cast<std::size_t>(std::min(fs::file_size(path), max_bytes + 1)), '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file) throw SystemError("cannot read " + path.string() + ": " + std::strerror(errno));
  if (content.size() > max_bytes) {
    throw InputError(path.string() + " is larger than the " + std::to_string(max_bytes) +
                     " bytes that were expected at most");
  }
  return content;
}

/// The most that a weights file of such a model takes: float64, and room for HDF5's own.
std::uint64_t max_weights_bytes(ModelOptions options) {
  constexpr std::uint64_t kOwn = std::uint64_t{1} << 24;
  if (options.n_tokens_vocab == 0) options.n_tokens_vocab = kMaxVocabulary;
  std::uint64_t bytes = kOwn;
  for (const ParameterSpec& spec : parameter_specs(options)) bytes += sizeof(double) * spec.size();
  return bytes;
}

/// The files of a model, in a folder or in an archive alike.
class ModelFiles {
 public:
  explicit ModelFiles(const ModelLocation& location) : location_(location) {}

  std::string read(const fs::path& file, std::uint64_t max_bytes) const {
    if (location_.archive) return read_zip_member(*location_.archive, file.string(), max_bytes);
    return read_file(file, max_bytes);
  }

  /// Reads the weights of a model of these options, which it may complete.
  Parameters read_weights(ModelOptions& options, std::vector<std::string>& remarks) const {
    const std::string weights_name = name(location_.weights);
    if (!location_.archive) {
      check_file(location_.weights);
      return elmo::read_weights(location_.weights, weights_name, options, remarks);
    }
    const UnpackedMember unpacked(*location_.archive, location_.weights.string(),
                                  max_weights_bytes(options));
    return elmo::read_weights(unpacked.path(), weights_name, options, remarks);
  }

  /// What messages call a file.
  std::string name(const fs::path& file) const {
    return location_.archive ? location_.archive->string() + ": " + file.string() : file.string();
  }

 private:
  const ModelLocation& location_;
};

}  // namespace

ParsedOptions read_options(const fs::path& path) {
  return parse_options(read_file(path, kMaxOptionsBytes), path.string());
}

LoadedModel load_model(const ModelLocation& location) {
  const ModelFiles files(location);
  ParsedOptions parsed =
      parse_options(files.read(location.options, kMaxOptionsBytes), files.name(location.options));
  ModelOptions& options = parsed.options;
  Parameters parameters = files.read_weights(options, parsed.remarks);
  std::optional<Vocabulary> vocabulary;
  if (!options.char_cnn && location.vocabulary) {
    const std::string name = files.name(*location.vocabulary);
    vocabulary = parse_vocabulary(files.read(*location.vocabulary, kMaxVocabularyBytes), name);
    if (vocabulary->size() != options.n_tokens_vocab) {
      throw InputError(name + ": has " + std::to_string(vocabulary->size()) + " words; expected " +
                       std::to_string(options.n_tokens_vocab) +
                       ", one for each row of the embedding");
    }
  }
  std::string fingerprint =
      model_fingerprint(options, parameters, vocabulary ? &*vocabulary : nullptr);
  return {std::move(options), std::move(parameters), std::move(vocabulary), std::move(fingerprint),
          std::move(parsed.remarks)};
}

ModelSummary describe_model(const LoadedModel& model) {
  ModelSummary summary;
  summary.options = model.options;
  summary.fingerprint = model.fingerprint;
  summary.remarks = model.remarks;
  summary.parameters = model.parameters.count();
  summary.bytes = summary.parameters * sizeof(float);
  summary.lstm_flop_per_token = lstm_flop_per_token(model.options);
  summary.encoder_flop_per_token = encoder_flop_per_token(model.options);
  return summary;
}

}  // namespace elmo

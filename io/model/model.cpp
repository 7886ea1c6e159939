#include "io/model/model.h"

#include <functional>
#include <utility>

#include "core/error.h"
#include "core/model/cost.h"
#include "core/parallel/threads.h"
#include "io/model/fingerprint.h"
#include "io/model/folder/files.h"
#include "io/model/folder/tokenizer.h"
#include "io/model/folder/vocabulary.h"
#include "io/model/many_langs/model.h"
#include "io/model/published/weights.h"

namespace elmo {
namespace {

/// Maximum size of a weights file of such a model: float64, and space for HDF5's own data.
std::uint64_t max_weights_bytes(ModelOptions options) {
  constexpr std::uint64_t kOwn = std::uint64_t{1} << 24;
  if (options.has_words() && options.n_tokens_vocab == 0) options.n_tokens_vocab = kMaxVocabulary;
  std::uint64_t bytes = kOwn;
  for (const ParameterSpec& spec : parameter_list(options).specs) {
    bytes += sizeof(double) * spec.size();
  }
  return bytes;
}

std::optional<Vocabulary> load_vocabulary(const ModelLocation& location,
                                          const ModelOptions& options) {
  if (options.char_cnn || !location.vocabulary) return std::nullopt;
  const std::string name = model_file_name(location, *location.vocabulary);
  Vocabulary vocabulary =
      parse_vocabulary(read_model_file(location, *location.vocabulary, kMaxVocabularyBytes), name);
  if (vocabulary.size() != options.n_tokens_vocab) {
    throw InputError(name + ": has " + std::to_string(vocabulary.size()) + " words; expected " +
                     std::to_string(options.n_tokens_vocab) +
                     ", one for each row of the embedding");
  }
  return vocabulary;
}

}  // namespace

std::optional<TokenizerDescription> read_tokenizer(const ModelLocation& location) {
  if (!location.tokenizer) return std::nullopt;
  return parse_tokenizer(read_model_file(location, *location.tokenizer, kMaxTokenizerBytes),
                         model_file_name(location, *location.tokenizer));
}

std::optional<LanguageDescription> read_language(const ModelLocation& location) {
  if (!location.language) return std::nullopt;
  return parse_language(read_model_file(location, *location.language, kMaxLanguageBytes),
                        model_file_name(location, *location.language));
}

ParsedOptions read_options(const std::filesystem::path& path) {
  const ModelLocation alone{path, {}};
  return parse_options(read_model_file(alone, path, kMaxOptionsBytes), path.string());
}

namespace {

/// Completes a model of either family. `check` examines all parameters while their fingerprint is
/// computed.
LoadedModel finish(const ModelLocation& location, ModelOptions&& options,
                   StoredParameters&& parameters, Lexicon&& lexicon,
                   std::vector<std::string>&& remarks,
                   const std::function<void(const StoredParameters&)>& check) {
  auto fingerprint = run_beside([&] {
    return model_fingerprint(options, parameters, lexicon.words ? &*lexicon.words : nullptr,
                             lexicon.characters ? &*lexicon.characters : nullptr);
  });
  check(parameters);
  std::optional<TokenizerDescription> tokenizer = read_tokenizer(location);
  std::optional<LanguageDescription> language = read_language(location);
  std::string text = fingerprint.get();
  return {std::move(options), std::move(parameters), std::move(lexicon), std::move(text),
          std::move(remarks), std::move(tokenizer),  std::move(language)};
}

}  // namespace

LoadedModel load_model(const ModelLocation& location) {
  if (location.many_langs) {
    ManyLangsModel model = read_many_langs(location);
    return finish(location, std::move(model.options), std::move(model.parameters),
                  std::move(model.lexicon), std::move(model.remarks),
                  [](const StoredParameters&) {});
  }
  ParsedOptions parsed =
      parse_options(read_model_file(location, location.options, kMaxOptionsBytes),
                    model_file_name(location, location.options));
  ModelOptions& options = parsed.options;
  const LocalModelFile weights(location, location.weights, max_weights_bytes(options));
  const std::string name = model_file_name(location, location.weights);
  StoredParameters parameters = read_weights(weights.path(), name, options, parsed.remarks);
  Lexicon lexicon(load_vocabulary(location, options));
  return finish(location, std::move(options), std::move(parameters), std::move(lexicon),
                std::move(parsed.remarks),
                [&](const StoredParameters& read) { require_finite(name, read); });
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

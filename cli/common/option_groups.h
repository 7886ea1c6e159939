// Options that several commands share. Each function registers some of them under the heading of
// `app`, unless it says otherwise; the variables that they set must outlive the parsing of `app`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/inference/options.h"
#include "io/engine/features.h"
#include "io/engine/model.h"
#include "io/h5/types.h"
#include "io/outputs/outputs.h"
#include "io/text/input/input_options.h"

namespace elmo {

class Option;
class Options;
struct TaskMixRequest;

/// Register --threads (0: one per core), --workers (0: as many as threads) and --memory
/// (Resources::memory_bytes).
Option add_threads(const Options& app, int& threads);
Option add_workers(const Options& app, int& workers);
Option add_memory(const Options& app, std::uint64_t& bytes);

/// Registers --seed.
Option add_seed(const Options& app, std::uint64_t& seed, const std::string& help);

/// Registers --initial-state and --lanes.
void add_initial_state(const Options& app, InitialState& state, int& lanes);

/// The defaults of --tokenizer, --locale, --contractions and --normalize, as the help names them.
struct TokenizerDefaults {
  std::string tokenizer = "the model's, otherwise moses (ud for ELMoForManyLangs and NLPL)";
  std::string locale = "the model's, otherwise root";
  std::string contractions = "the model's, otherwise keep";
  std::string normalization = "the model's, otherwise nfc; none for given tokens";
};

/// Registers FILE… and the reading options.
void add_input_flags(const Options& app, InputOptions& input,
                     const TokenizerDefaults& defaults = {});

/// Registers only the reading options, under the heading Input.
void add_reading_flags(const Options& app, InputOptions& input,
                       const TokenizerDefaults& defaults = {});

/// Registers --tokenizer, --locale, --contractions and --normalize.
void add_tokenizer_flags(const Options& app, TokenizerRequest& request,
                         const TokenizerDefaults& defaults = {});

/// Registers --column.
Option add_column(const Options& app, std::string& column);

/// Registers the model options, under the heading Model.
void add_model_flags(const Options& app, ModelSpec& request);

/// Registers --model, under the heading Model, for a model that predicts words.
void add_predicting_model(const Options& app, std::string& model);

/// Registers --compression. `help` describes what is written.
Option add_compression(const Options& app, h5::Compression& compression, const std::string& help);

/// Registers the option `name`, which sets `format` to the name of one of the forms for which
/// `holds` is true. The help lists them.
Option add_output_format(const Options& app, const std::string& name, std::string& format,
                         bool (*holds)(const OutputFormat& format), const std::string& help);

/// Registers --preset, which sets `preset` to one of the names.
Option add_preset(const Options& app, std::string& preset, const std::string& help);

/// Registers --preset and --options.
void add_architecture_flags(const Options& app, ArchitectureSpec& spec);

/// Registers the option `name` and --place. Returns the option `name`.
Option add_task_mix_flags(const Options& app, const std::string& name, TaskMixRequest& request);

/// Registers --mix-weights, --mix (with --place), --gamma and --layer-norm.
void add_mixing_flags(const Options& app, EmbedOptions& options, TaskMixRequest& request);

/// Registers the model options, --features, --features-dtype, --precision, --threads and --quiet,
/// each under a heading of its own. `without`: where activations are kept without --features, for
/// the help.
void add_feature_flags(const Options& app, FeatureOptions& features, bool& quiet,
                       const std::string& without);

}  // namespace elmo

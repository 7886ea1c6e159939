// Groups of options that commands share: input, labeled files, model, computing, architecture and
// output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/given_options.h"
#include "core/inference/options.h"
#include "core/kernels/precision.h"
#include "core/model/options.h"
#include "io/dtype.h"
#include "io/h5/types.h"
#include "io/labeled/token_examples.h"
#include "io/model/location.h"
#include "io/text/input/text_source.h"

namespace elmo {

class Option;
class Options;

/// Register --precision (described by `help`), --threads (0: one per core) and --workers (0: as
/// many as threads). The values must outlive the parsing of `app`.
Option add_precision(Options app, Precision& precision, const std::string& help);
/// The same for a default that depends on other settings.
Option add_precision(Options app, std::optional<Precision>& precision, const std::string& help);
Option add_threads(Options app, int& threads);
Option add_workers(Options app, int& workers);

/// Registers --memory (EmbedOptions::memory_bytes). `bytes` must outlive the parsing of `app`.
Option add_memory(Options app, std::uint64_t& bytes);

/// Registers --initial-state and --lanes under the heading `group`. The values must outlive the
/// parsing of `app`.
void add_initial_state(Options app, InitialState& state, int& lanes, const std::string& group);
/// Throws RequestError if --lanes is given and the state is not carried.
void check_initial_state(const Options& app, InitialState state);

/// Throws RequestError if there are more workers than threads.
void check_workers(int threads, int workers);

class Options;

/// Registers FILE… and the reading options. `input` must outlive the parsing of `app`.
void add_input_flags(Options app, InputOptions& input);

/// Registers only the reading options.
void add_reading_flags(Options app, InputOptions& input);

/// Registers --tokenizer and --locale.
void add_tokenizer_flags(Options app, TokenizerRequest& request, const std::string& group);

/// Throws RequestError for options that have no effect on the chosen format.
void check_input_flags(const Options& app, const InputOptions& input);
void check_input_flags(const GivenOptions& given, const InputOptions& input);

class Option;
class Options;

/// Format of a file and column of its labels.
struct LabeledFlags {
  std::optional<LabeledFormat> format;
  std::string column = ExampleInput{}.column;
};

/// Registers --column. `column` must outlive the parsing of `app`.
Option add_column(Options app, std::string& column);

/// Registers --column and --format. `flags` must outlive the parsing of `app`.
void add_labeled_flags(Options app, LabeledFlags& flags);

class Options;

struct ModelRequest;

/// Registers the model options. `request` must outlive the parsing of `app`.
void add_model_flags(Options app, ModelRequest& request);

class Option;
class Options;

/// Register --dtype, or another `name` for it, and --compression. `help` describes what is written.
/// The values must outlive the parsing of `app`.
Option add_dtype(Options app, const std::string& name, Dtype& dtype, const std::string& help);
/// The same for a default that depends on other settings.
Option add_dtype(Options app, const std::string& name, std::optional<Dtype>& dtype,
                 const std::string& help);
Option add_compression(Options app, h5::Compression& compression, const std::string& help);

/// Throws RequestError if the file `output`, given by `option`, is one of `inputs`, even under
/// another name. Names that are empty or of missing files are ignored.
void require_other_file(const std::string& option, const std::string& output,
                        const std::vector<std::string>& inputs);

/// Returns the files of a model, for require_other_file().
std::vector<std::string> files_of(const ModelLocation& location);

/// Throws RequestError if the folder `output`, given by -o, is the folder `input` that is read,
/// even under another name.
void require_other_folder(const std::string& output, const std::filesystem::path& input);

/// Returns whether `path` is in `folder` after symbolic links are resolved. `path` need not exist.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

class Option;
class Options;

struct PresetFlags {
  std::string preset;
  std::string options;  ///< file; empty if `preset` is given
};

/// Registers only --preset, which sets `preset` to one of the names. `preset` must outlive the
/// parsing of `app`.
Option add_preset(Options app, std::string& preset, const std::string& help);

/// Registers --preset and --options. `flags` must outlive the parsing of `app`.
void add_preset_flags(Options app, PresetFlags& flags);

/// Throws RequestError if neither is given.
void check_preset_flags(const PresetFlags& flags);

/// Returns the model options that the flags select. n_tokens_vocab is 0 if the file of a word-level
/// model lacks it. Errors: as read_options.
ModelOptions model_options(const PresetFlags& flags);

}  // namespace elmo

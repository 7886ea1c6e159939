// Parts of requests that several commands share, and their checks. option_groups.h registers the
// options that set them.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/options.h"
#include "core/model/options.h"
#include "io/files/atomic_file.h"
#include "io/model/model.h"
#include "io/text/input/input_options.h"

namespace elmo {

// Options that were given, and what they require.

/// The names of the options on the command line, such as "--gamma". Positional arguments are not
/// included.
using GivenOptions = std::set<std::string>;

/// A condition without which an option has no effect.
struct OptionRule {
  std::string option;
  bool holds = false;
  std::string condition;  ///< the options that fulfill it, such as "--layers mix"
};

/// Throws RequestError, "--gamma makes sense only with --layers mix", for the first rule whose
/// option was given and whose condition does not hold.
void check_rules(const GivenOptions& given, const std::vector<OptionRule>& rules);

/// Two options that exclude each other, and why.
struct OptionConflict {
  const char* option;
  const char* other;
  const char* reason;
};

/// Throws RequestError, "--sample with --pool: reason", for the first conflict whose options were
/// both given.
void check_conflicts(const GivenOptions& given, std::span<const OptionConflict> conflicts);

/// Throws RequestError if `option`, which decides how raw text is divided, is given and `format` is
/// not of raw text.
void check_segmentation_flag(const GivenOptions& given, const std::string& option,
                             InputFormat format);

/// Throws RequestError for options that have no effect on the format of `input`.
void check_input_flags(const GivenOptions& given, const InputOptions& input);

/// Throws RequestError if --lanes is given and the state is not carried.
void check_initial_state(const GivenOptions& given, InitialState state);

/// Throws RequestError if there are more workers than threads.
void check_workers(int threads, int workers);

// The architecture of a new model.

struct PresetFlags {
  std::string preset;
  std::string options;  ///< file; empty if `preset` is given
};

/// Throws RequestError if neither is given.
void check_preset_flags(const PresetFlags& flags);

/// Returns the model options that the flags select. n_tokens_vocab is 0 if the file of a word-level
/// model lacks it. Errors: as read_options.
ModelOptions model_options(const PresetFlags& flags);

// Files.

/// Throws RequestError if the file `output`, given by `setting`, is one of `inputs`, even under
/// another name. Names that are empty or of missing files are ignored.
void require_other_file(Setting setting, const std::string& output,
                        const std::vector<std::string>& inputs);

/// Throws RequestError if the folder `output`, is the folder `input` that is read,
/// even under another name.
void require_other_folder(const std::string& output, const std::filesystem::path& input);

/// Returns what to do with the run that is in the output folder. At most one of the options is
/// given.
RunMode run_mode(bool resume, bool overwrite);

/// Returns whether `path` is in `folder` after symbolic links are resolved. `path` need not exist.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace elmo

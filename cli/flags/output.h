// The options of commands that write activations.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/dtype.h"
#include "io/h5/compression.h"
#include "io/model/folder/location.h"

namespace elmo {

class Option;
class Options;

/// Register --dtype, or another `name` for it, and --compression; `help` says what is written. The
/// values have to outlive `app`'s parsing.
Option add_dtype(Options app, const std::string& name, Dtype& dtype, const std::string& help);
/// The same where the default depends on something else.
Option add_dtype(Options app, const std::string& name, std::optional<Dtype>& dtype,
                 const std::string& help);
Option add_compression(Options app, h5::Compression& compression, const std::string& help);

/// RequestError where the file `output` that `option` names is one of those that are read, by
/// whatever name. Names that are empty or lead to nothing are none.
void require_other_file(const std::string& option, const std::string& output,
                        const std::vector<std::string>& inputs);

/// The files of a model that are there, for these checks.
std::vector<std::string> files_of(const ModelLocation& location);

/// RequestError where the folder `output` that -o names is the folder `input` that is read, by
/// whatever name.
void require_other_folder(const std::string& output, const std::filesystem::path& input);

/// Whether `path`, which need not be there, lies in that folder, behind symbolic links.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace elmo

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

}  // namespace elmo

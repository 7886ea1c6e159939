#include "cli/flags/output.h"

#include <optional>

#include "cli/flags/options.h"
#include "core/error.h"
#include "io/files/paths.h"

namespace elmo {

namespace fs = std::filesystem;

Option add_dtype(Options app, const std::string& name, Dtype& dtype, const std::string& help) {
  return add_choice(app, name, dtype, kDtypes, help);
}

Option add_dtype(Options app, const std::string& name, std::optional<Dtype>& dtype,
                 const std::string& help) {
  return add_choice(app, name, dtype, kDtypes, help);
}

Option add_compression(Options app, h5::Compression& compression, const std::string& help) {
  return add_choice(app, "--compression", compression, h5::kCompressions,
                    help + ", after a byte shuffle; zstd requires its HDF5 filter");
}

void require_other_file(const std::string& option, const std::string& output,
                        const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (!is_file(output) || !is_there(input) || !fs::equivalent(output, input)) continue;
    throw RequestError(option + ": " + output + " is one of the files that are read; choose " +
                       "another name");
  }
}

std::vector<std::string> files_of(const ModelLocation& location) {
  std::vector<std::string> files;
  const auto add = [&files](const std::optional<fs::path>& file) {
    if (file) files.push_back(file->string());
  };
  if (location.archive) return {location.archive->string()};
  for (const auto& file :
       {std::optional(location.options), std::optional(location.weights), location.vocabulary,
        location.softmax, location.softmax_vocabulary, location.tokenizer, location.language}) {
    add(file);
  }
  if (const std::optional<ManyLangsFiles>& many = location.many_langs) {
    for (const auto& file : {std::optional(many->encoder), std::optional(many->token_embedder),
                             many->config, many->words, many->characters}) {
      add(file);
    }
  }
  return files;
}

void require_other_folder(const std::string& output, const fs::path& input) {
  if (is_there(output) && is_there(input) && fs::equivalent(output, input)) {
    throw RequestError("-o: " + output + " is the folder that is read; choose another one");
  }
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  if (!is_there(folder)) return false;
  const fs::path top = fs::canonical(folder);
  for (fs::path above = fs::weakly_canonical(fs::absolute(path));; above = above.parent_path()) {
    if (above == top) return true;
    if (!above.has_relative_path()) return false;
  }
}

}  // namespace elmo

#include "cli/run/scratch_folder.h"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/error.h"

namespace elmo {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "elmo-XXXXXX").string();
  if (!error && ::mkdtemp(name.data()) == nullptr) error.assign(errno, std::generic_category());
  if (error) {
    throw SystemError("cannot make a folder for temporary files: " + error.message() +
                      "\nSet TMPDIR to a folder that can be written to.");
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace elmo

#include "io/files/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "io/files/paths.h"

namespace elmo {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::string name = (temporary_folder() / "elmo-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) refuse_temporary(fs::path(name).parent_path(), errno);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace elmo

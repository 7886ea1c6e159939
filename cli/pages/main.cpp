// Writes the pages that are made of the tool's definition:
//
//     elmo_pages SOURCE_FOLDER OUTPUT_FOLDER
//
// SOURCE_FOLDER/cli/pages/manual.md is read; the pages are written below OUTPUT_FOLDER, under the
// names that they have in the source folder. Exits with 1, saying why, where that cannot be done.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>

#include "cli/application.h"
#include "cli/pages/pages.h"
#include "core/error.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw SystemError("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw SystemError("cannot write " + path.string());
}

void write_pages(const fs::path& source_folder, const fs::path& output_folder) {
  Command chosen;
  const ToolText tool = describe(*make_application(chosen));
  const std::string source = read_text(source_folder / "cli/pages/manual.md");
  for (const auto& [name, text] : {std::pair{"cli/man/elmo.1", manual_page(tool, source)},
                                   std::pair{"cli/OPTIONS.md", option_page(tool, source)},
                                   std::pair{"cli/completion/elmo.bash", bash_completion(tool)},
                                   std::pair{"cli/completion/elmo.zsh", zsh_completion(tool)},
                                   std::pair{"cli/completion/elmo.fish", fish_completion(tool)}}) {
    write_text(output_folder / name, text);
  }
}

}  // namespace
}  // namespace elmo

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: elmo_pages SOURCE_FOLDER OUTPUT_FOLDER\n";
    return 1;
  }
  try {
    elmo::write_pages(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "elmo_pages: " << error.what() << '\n';
    return 1;
  }
}

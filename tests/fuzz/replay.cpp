// Runs a fuzzer on stored inputs, without the fuzzing engine: each file of the given folder. Inputs
// found once are thus tested everywhere.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fixtures/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** arguments) {
  if (count != 2) return 2;
  int inputs = 0;
  for (const auto& file : std::filesystem::directory_iterator(arguments[1])) {
    std::printf("%s\n", file.path().filename().c_str());
    std::fflush(stdout);  // an input that fails ends the program
    const std::string content = elmo::content_of(file.path());
    const std::vector<std::uint8_t> bytes(content.begin(), content.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    ++inputs;
  }
  return inputs > 0 ? 0 : 1;
}

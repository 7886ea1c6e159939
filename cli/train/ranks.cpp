#include "cli/train/ranks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/error.h"

namespace elmo {
namespace {

/// Returns the text of rank 0.
std::string text_of_rank_0(Communicator& ranks, std::string text) {
  std::array<std::uint64_t, 1> size{text.size()};
  broadcast(ranks, std::span<std::uint64_t>(size));
  text.resize(size[0]);
  broadcast(ranks, std::span<char>(text));
  return text;
}

/// Returns all names and values, each followed by a zero byte.
std::string packed(const RunFingerprint& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    text += name + '\0';
    text += value + '\0';
  }
  return text;
}

RunFingerprint unpacked(const std::string& text) {
  RunFingerprint settings;
  std::size_t begin = 0;
  const auto next = [&] {
    const std::size_t end = text.find('\0', begin);
    std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    return part;
  };
  while (begin < text.size()) {
    std::string name = next();
    settings.emplace_back(std::move(name), next());
  }
  return settings;
}

}  // namespace

bool said_by_rank_0(Communicator& ranks, bool value) {
  std::array<std::uint8_t, 1> said{value ? std::uint8_t{1} : std::uint8_t{0}};
  broadcast(ranks, std::span<std::uint8_t>(said));
  return said[0] != 0;
}

void check_settings(Communicator& ranks, const RunFingerprint& settings) {
  if (ranks.size() == 1) return;
  const RunFingerprint first = unpacked(text_of_rank_0(ranks, packed(settings)));
  const std::string difference = fingerprint_difference(first, settings);
  if (!difference.empty()) {
    throw RequestError("found other settings than rank 0's: " + difference +
                       ". Expected the same command on all ranks");
  }
}

}  // namespace elmo

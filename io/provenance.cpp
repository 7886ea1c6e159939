#include "io/provenance.h"

#include <algorithm>

#include "core/version.h"

namespace elmo {
namespace {

const std::string* find(const Provenance& provenance, std::string_view name) {
  const auto found = std::ranges::find(provenance, name, &Provenance::value_type::first);
  return found == provenance.end() ? nullptr : &found->second;
}

std::string words(const std::string* value) { return value == nullptr ? "absent" : *value; }

/// No rules make tokens that come with the input, and only the description of made ones names
/// Unicode. Versions disagree about the revision of no rules, which the text returned is without.
std::string without_idle_revision(std::string tokenizer) {
  constexpr std::string_view kRules = ", rules ";
  const std::size_t begin = tokenizer.find(kRules);
  if (begin == std::string::npos || tokenizer.find(", Unicode ") < begin) return tokenizer;
  const std::size_t end = tokenizer.find_first_not_of("0123456789", begin + kRules.size());
  return tokenizer.erase(begin, end == std::string::npos ? end : end - begin);
}

bool same_numbers(const std::string& name, const std::string& before, const std::string& now) {
  if (before == now) return true;
  if (name == kToolVersion) return continues_version(before) && continues_version(now);
  return name == kTokenizer && without_idle_revision(before) == without_idle_revision(now);
}

void add(Message& text, const std::string& name, const std::string* before,
         const std::string* now) {
  if (!text.empty()) text += "; ";
  text += Component{name} + (" was " + words(before) + " and is " + words(now));
}

}  // namespace

std::string component(const Provenance& provenance, std::string_view name) {
  const std::string* const value = find(provenance, name);
  return value == nullptr ? "" : *value;
}

Message provenance_difference(const Provenance& before, const Provenance& now) {
  Message text;
  for (const auto& [name, value] : before) {
    const std::string* other = find(now, name);
    if (other == nullptr || !same_numbers(name, value, *other)) add(text, name, &value, other);
  }
  for (const auto& [name, value] : now) {
    if (find(before, name) == nullptr) add(text, name, nullptr, &value);
  }
  return text;
}

}  // namespace elmo

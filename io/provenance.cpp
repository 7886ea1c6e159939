#include "io/provenance.h"

#include <algorithm>

namespace elmo {
namespace {

const std::string* find(const Provenance& provenance, std::string_view name) {
  const auto found = std::ranges::find(provenance, name, &Provenance::value_type::first);
  return found == provenance.end() ? nullptr : &found->second;
}

std::string words(const std::string* value) { return value == nullptr ? "absent" : *value; }

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
    if (other == nullptr || *other != value) add(text, name, &value, other);
  }
  for (const auto& [name, value] : now) {
    if (find(before, name) == nullptr) add(text, name, nullptr, &value);
  }
  return text;
}

}  // namespace elmo

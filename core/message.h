// Messages that refer to settings instead of naming them. Each front end inserts its own names: a
// command --learning-rate, a Python function learning_rate.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace elmo {

/// A setting, by its name for programmers: "learning_rate". Each front end has its own name for it.
struct Setting {
  std::string_view name;  ///< a literal
  bool operator==(const Setting&) const = default;
};

/// A way to avoid an error, by its name, such as "replace_file" or, by default, none. Each front
/// end words it with the settings that it offers.
struct Remedy {
  std::string_view name{};  ///< a literal
  bool operator==(const Remedy&) const = default;
};

/// The name of a part of a run's provenance. A front end adds which of its settings choose it.
struct Component {
  std::string name;
  bool operator==(const Component&) const = default;
};

/// A text with settings, components and remedies in it, joined by +: Setting{"model"} + " auto:
/// found no text".
class Message {
 public:
  using Part = std::variant<std::string, Setting, Component, Remedy>;

  Message() = default;
  Message(std::string text) {
    if (!text.empty()) parts_.emplace_back(std::move(text));
  }
  Message(const char* text) : Message(std::string(text)) {}
  Message(Setting setting) : parts_{setting} {}
  Message(Component component) : parts_{std::move(component)} {}
  Message(Remedy remedy) {
    if (!remedy.name.empty()) parts_.emplace_back(remedy);
  }

  Message& operator+=(const Message& other) {
    parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
    return *this;
  }

  const std::vector<Part>& parts() const { return parts_; }
  bool empty() const { return parts_.empty(); }

  /// Returns the text with the names for programmers, without remedies.
  std::string text() const {
    std::string text;
    for (const Part& part : parts_) {
      if (const auto* const words = std::get_if<std::string>(&part)) text += *words;
      if (const auto* const setting = std::get_if<Setting>(&part)) text += setting->name;
      if (const auto* const component = std::get_if<Component>(&part)) text += component->name;
    }
    return text;
  }

 private:
  std::vector<Part> parts_;
};

inline Message operator+(Message first, const Message& second) { return first += second; }

}  // namespace elmo

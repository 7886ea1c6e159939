// Messages as a command words them: settings are its options.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/message.h"

namespace elmo {

/// Returns the option of a setting: "--learning-rate".
std::string option_of(Setting setting);

/// Returns the text of `message`, with options for settings and advice for remedies. Leaves out
/// advice with options that the command lacks: has_option("--resume") returns whether it has one.
/// Without `has_option`, the command has all options.
std::string text_of(const Message& message,
                    const std::function<bool(std::string_view)>& has_option = nullptr);

}  // namespace elmo

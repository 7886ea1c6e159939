// The table of the forms in which activations leave the program. A new form is a unit beside this
// one and a row of the table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/outputs/output_format.h"

namespace elmo {

/// All forms. Any thread.
std::span<const OutputFormat> output_formats();

/// Returns the form called `name`. std::logic_error for another name. Any thread.
const OutputFormat& output_format(std::string_view name);

/// Returns the form of word averages with the file name ending of `path`, or null.
const OutputFormat* word_format_of(const std::string& path);

/// The form that is written by default.
inline const OutputFormat& shards_format() { return output_format("shards"); }

}  // namespace elmo

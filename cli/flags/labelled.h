// The options of commands that read labelled files.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "io/labelled/tokens/labelled_sentences.h"

namespace CLI {
class App;
}

namespace elmo {

/// How the labels of a token stand in a file.
struct LabelledFlags {
  std::optional<LabelledFormat> format;
  std::string column = LabelledInput{}.column;
};

/// Registers --column and --format; `flags` has to outlive `app`'s parsing.
void add_labelled_flags(CLI::App* app, LabelledFlags& flags);

/// Opens such a file from its beginning; `stop` ends waiting. RequestError for one that can be read
/// only once, since labels and sentences are read one after the other; errors as open_labelled.
std::unique_ptr<LabelledSource> open_labelled(const LabelledFlags& flags, const std::string& file,
                                              const std::atomic<bool>& stop);

}  // namespace elmo

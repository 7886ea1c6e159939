// The kinds of task of this program.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/tasks/labeled_kind.h"

namespace elmo {

/// The kinds of this program, in the order in which users see them. Any thread.
std::span<const LabeledKind> labeled_kinds();

/// The kind with that name, or null. Any thread.
const LabeledKind* labeled_kind(std::string_view name,
                                std::span<const LabeledKind> kinds = labeled_kinds());

/// The names of the kinds for which `holds` is true: "classify, pair".
std::string names_of_kinds(const std::function<bool(const LabeledKind&)>& holds);

/// Returns the form of a file to be labeled: as form_of() finds it, otherwise text. Only the name
/// counts if the file can be read only once. Errors: as open_file and form_of().
TextForm form_of_file(const std::string& file, const LabeledKind& kind);

/// Opens a file of examples of a kind. `labels` numbers their labels and receives new ones; it must
/// outlive the file. `bytes`, if given, are the content of the file, which is then not opened or
/// decompressed. InputError if there is no such file, RequestError for an unknown locale. next()
/// throws InputError, naming the file and the line, for violations of the format, and at the end of
/// a labeled file without any label.
std::unique_ptr<ExampleFile> open_examples(const ExampleInput& input, const LabeledKind& kind,
                                           LabelSet& labels,
                                           std::unique_ptr<ByteSource> bytes = nullptr);

}  // namespace elmo

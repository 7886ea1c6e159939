// Table of the possible senses of words.
#pragma once

#include <string>

#include "core/analysis/senses/sense_inventory.h"

namespace elmo {

/// Reads a file, which may be compressed like text inputs, with lines of the form
///
///   lemma TAB part of speech TAB key key …
///
/// with at least one key; the first is the fallback. Blank lines are skipped. InputError, naming
/// the file and the line, for anything else and for a word that occurs twice. SystemError if the
/// file cannot be read.
SenseCandidates read_sense_candidates(const std::string& path);

}  // namespace elmo

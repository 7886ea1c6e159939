// The senses that words may have, from a table.
#pragma once

#include <string>

#include "core/analysis/senses/sense_inventory.h"

namespace elmo {

/// Reads a file, which may be compressed as text inputs may, of lines
///
///   lemma TAB part of speech TAB key key …
///
/// with at least one key, the first the back-off; blank lines are none. InputError naming the file
/// and the line for anything else, and for a word that comes twice; SystemError where it cannot be
/// read.
SenseCandidates read_sense_candidates(const std::string& path);

}  // namespace elmo

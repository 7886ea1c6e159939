// The byte range of a part of the input.
#pragma once

#include "io/text/source/input_files.h"
#include "io/text/source/input_options.h"
#include "io/text/source/input_range.h"

namespace elmo {

/// Returns the range of options.part. Let T be the number of stored bytes in all files, one after
/// the other. Part K of N has the units whose first byte is in [K*T/N, (K+1)*T/N), rounded down.
/// Units are lines; in free text, paragraphs that begin with a line that cannot continue another;
/// whole files if they are compressed or CoNLL-U, and with options.whole_documents in all formats
/// but jsonl. An empty file counts as if it had the next byte. Each byte belongs to exactly one
/// part, and the readers of all parts together return what one reader does. Reads no more than is
/// needed to find both ends. RequestError for standard input and pipes; other errors as
/// open_source.
InputRange range_of_part(FileList files, const InputOptions& options);

}  // namespace elmo

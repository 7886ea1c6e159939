// Which bytes of the files a part of the input has.
#pragma once

#include "io/text/source/input_files.h"
#include "io/text/source/input_options.h"
#include "io/text/source/input_range.h"

namespace elmo {

/// What options.part reads of the files: with T stored bytes in all of them, one after the other,
/// part K of N has the units whose first byte lies in [K*T/N, (K+1)*T/N), rounded down. Units are
/// lines, or in free text the paragraphs that begin with a line that continues with none; of
/// compressed files and CoNLL-U, and under options.whole_documents of all but jsonl, whole files. A
/// file without a byte counts as if it had the next one. Each byte belongs to one part, and what
/// the parts' readers hand out is what one reader does. Reads no more than it takes to find the two
/// ends. RequestError for standard input and pipes; other errors as open_source.
InputRange range_of_part(FileList files, const InputOptions& options);

}  // namespace elmo

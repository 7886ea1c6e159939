// What reading a text found out about it.
#pragma once

#include "cli/run/listener.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// Notes what was repaired, cut or left out in reading; nothing where nothing was.
void note_input(RunListener& listener, const InputCounters& counters);

}  // namespace elmo

// A stream of sentences, one after the other.
#pragma once

#include "io/sinks/stream_sinks.h"

namespace elmo {

enum class StreamFormat { jsonl, npy };

struct SentenceStream {
  Stream* stream = nullptr;  ///< not owned
  StreamFormat format = StreamFormat::jsonl;
};

}  // namespace elmo

// What the readers of labeled formats have in common.
#pragma once

#include <cstddef>

#include "core/tasks/common/labelled_sentence.h"

namespace elmo {

/// Labels go into error messages and tables; no set of labels in use has longer ones.
inline constexpr std::size_t kMaxLabelBytes = 1024;

/// The labeled sentences of one file. One thread at a time.
class LabelledReader {
 public:
  virtual ~LabelledReader() = default;

  /// Reads the next sentence into `labelled`, which is empty; false at the end. InputError,
  /// naming file and line, for what the format does not allow.
  virtual bool next(LabelledSentence& labelled) = 0;
};

}  // namespace elmo

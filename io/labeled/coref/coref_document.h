// A coreference document as read from a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/coref/clusters.h"
#include "core/tasks/coref/coref_gold.h"

namespace elmo {

struct CorefDocument {
  std::vector<Sentence> sentences;    ///< may have no tokens
  std::string genre;                  ///< empty: unknown
  std::vector<std::string> speakers;  ///< [sentences], empty string: unknown; or no elements at all
  std::vector<MentionCluster> clusters;   ///< in tokens of the document
  std::shared_ptr<const CorefGold> gold;  ///< see TaskRecord::gold
};

/// Reads the documents of one file. One thread at a time.
class CorefReader {
 public:
  virtual ~CorefReader() = default;

  /// Replaces `document` by the next one. Returns false at the end. InputError, naming the line but
  /// not the file, for violations of the format. May be called again after WouldWait.
  virtual bool next(CorefDocument& document) = 0;
};

}  // namespace elmo

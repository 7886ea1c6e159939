// A document of coreference as files hold it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/coref/clusters.h"
#include "core/tasks/coref/coref_gold.h"

namespace elmo {

struct CorefDocument {
  std::vector<Sentence> sentences;        ///< may be without tokens
  std::string genre;                      ///< empty: unknown
  std::vector<std::string> speakers;      ///< [sentences], empty: unknown; or none at all
  std::vector<MentionCluster> clusters;   ///< in tokens of all sentences, one after another
  std::shared_ptr<const CorefGold> gold;  ///< as TaskRecord::gold
};

/// The documents of one file. One thread at a time.
class CorefReader {
 public:
  virtual ~CorefReader() = default;

  /// Replaces `document` by the next one; false at the end. InputError, naming the line but not the
  /// file, for what the format does not allow. May be called again after WouldWait.
  virtual bool next(CorefDocument& document) = 0;
};

}  // namespace elmo

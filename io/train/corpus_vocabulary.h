// Vocabulary of a corpus, and the view of the corpus for training.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/vocabulary.h"
#include "core/train/bilm/corpus.h"
#include "io/train/corpus_file.h"

namespace elmo {

struct VocabularyLimits {
  std::uint64_t min_count = 1;  ///< words that occur less often are left out
  std::int64_t max_words = 0;   ///< total rows, including `<S>`, `</S>` and `<UNK>`; 0: no limit
};

/// `<S>`, `</S>` and `<UNK>`, as in bilm-tf's vocabularies, then the types of the corpus by
/// descending count, and by bytes if counts are equal. Types that a vocabulary file cannot
/// represent are left out. InputError if the limits leave no word, or if there are more words than
/// a vocabulary file may hold.
Vocabulary build_vocabulary(const EncodedCorpus& corpus, const VocabularyLimits& limits);

/// The row of every type, [types + kFirstType]. Types outside the vocabulary, and types spelled
/// like one of its reserved words, have the row of `<UNK>`.
std::vector<std::int32_t> target_rows(const EncodedCorpus& corpus, const Vocabulary& vocabulary);

/// Number of tokens with the row of `<UNK>`.
std::uint64_t unknown_tokens(const EncodedCorpus& corpus, const Vocabulary& vocabulary);

/// The corpus as training reads it. All arguments must outlive it. `rows`: see Corpus::rows.
Corpus training_view(const EncodedCorpus& corpus, const std::vector<std::int32_t>& targets,
                     std::span<const std::int32_t> rows = {});

}  // namespace elmo

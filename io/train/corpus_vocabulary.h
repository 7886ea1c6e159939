// The vocabulary of a corpus, and the corpus under a vocabulary.
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
  std::int64_t max_words = 0;   ///< rows in all, `<S>`, `</S>` and `<UNK>` included; 0: any number
};

/// `<S>`, `</S>` and `<UNK>`, as in bilm-tf's vocabularies, then the types of the corpus by falling
/// count, among equals by their bytes. Left out is what a vocabulary file cannot hold. InputError
/// where the limits leave no word, or where the words are more than a vocabulary file may hold.
Vocabulary build_vocabulary(const EncodedCorpus& corpus, const VocabularyLimits& limits);

/// The row of every type, [types + kFirstType]: that of `<UNK>` for types that the vocabulary does
/// not have, and for those spelled like one of its reserved words.
std::vector<std::int32_t> target_rows(const EncodedCorpus& corpus, const Vocabulary& vocabulary);

/// How many tokens have the row of `<UNK>`.
std::uint64_t unknown_tokens(const EncodedCorpus& corpus, const Vocabulary& vocabulary);

/// What training reads; all that is given has to outlive it. `rows`: as Corpus::rows.
Corpus training_view(const EncodedCorpus& corpus, const std::vector<std::int32_t>& targets,
                     std::span<const std::int32_t> rows = {});

}  // namespace elmo

#include "cli/run/train/text.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/numbers/human.h"
#include "cli/run/input_fingerprint.h"
#include "cli/run/input_notes.h"
#include "core/error.h"
#include "core/model/initialize.h"
#include "io/model/folder/files.h"
#include "io/model/folder/vocabulary.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/source/input_files.h"
#include "io/train/corpus_vocabulary.h"

namespace elmo {
namespace {

/// Returns the fingerprint of the corpus file: its tokenizer, format and files.
std::string corpus_fingerprint(const InputOptions& input) {
  return to_string(describe_tokenizer(input)) + "; " + input_format_text(input) + "; " +
         input_files_text(input);
}

Vocabulary new_vocabulary(const TrainingRequest& request, const EncodedCorpus& corpus) {
  if (const auto* limits = std::get_if<VocabularyLimits>(&request.vocabulary)) {
    return build_vocabulary(corpus, *limits);
  }
  const std::filesystem::path& file = std::get<std::filesystem::path>(request.vocabulary);
  return parse_word_list(read_model_file({}, file, kMaxVocabularyBytes), file.string());
}

}  // namespace

InputOptions validation_input(InputOptions input, const std::string& valid) {
  input.files = {valid};
  return input;
}

void check_validation(const InputOptions& input, const std::string& valid) {
  for (const InputFile& file : list_input_files({valid}, nullptr, input.written)) {
    if (file.size) continue;
    throw RequestError("--valid: found " + file.path +
                       ", a pipe, expected a file, because it is read many times");
  }
  const std::unique_ptr<TextSource> source = open_source(validation_input(input, valid));
  Sentence sentence;
  while (source->next(sentence)) {
    if (sentence.size() > 0) return;
  }
  throw InputError(valid + ": has no token; expected text to validate with");
}

std::optional<EncodedCorpus> encoded_corpus(InputOptions input, const std::filesystem::path& path,
                                            ExistingRun existing, RunListener& listener,
                                            const std::atomic<bool>& stop) {
  const std::string fingerprint = corpus_fingerprint(input);
  if (existing != ExistingRun::replaced) {
    if (std::optional<EncodedCorpus> corpus = open_encoded_corpus(path, fingerprint)) return corpus;
  }
  input.stop = &stop;
  const std::unique_ptr<TextSource> source = open_source(input);
  const auto progress = [&listener](const EncodingProgress& done) {
    listener.progressed({done.tokens, std::nullopt, "reading"}, 0);
  };
  std::optional<EncodedCorpus> corpus =
      encode_corpus(*source, path, fingerprint, EncodingWatch{progress, &stop});
  listener.progress_ended();
  if (corpus) {
    InputCounters counters = source->counters();
    const std::uint64_t empty = std::exchange(counters.empty_sentences, 0);
    if (empty > 0) listener.note(human_count(empty, "empty sentence") + " left out");
    note_input(listener, counters);
  }
  return corpus;
}

EncodedCorpus corpus_of_rank_0(const InputOptions& input, const std::filesystem::path& path) {
  std::optional<EncodedCorpus> corpus = open_encoded_corpus(path, corpus_fingerprint(input));
  if (!corpus) {
    throw SystemError(path.string() +
                      ": not the file that rank 0 has made of the text; expected all ranks to see "
                      "the same files, in a folder that their machines share");
  }
  return std::move(*corpus);
}

SoftmaxLayer new_softmax(const TrainingRequest& request, const EncodedCorpus& corpus,
                         std::int64_t width) {
  Vocabulary vocabulary = new_vocabulary(request, corpus);
  const std::vector<std::int32_t> targets = target_rows(corpus, vocabulary);
  // Both directions predict each word, but only one predicts each boundary.
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(vocabulary.size()));
  const auto add = [&](std::size_t type, std::uint64_t count) {
    counts[static_cast<std::size_t>(targets[type])] += count;
  };
  add(kBeginSentenceType, corpus.sentence_ends().size());
  add(kEndSentenceType, corpus.sentence_ends().size());
  for (std::size_t i = 0; i < corpus.counts().size(); ++i) {
    add(kFirstType + i, 2 * corpus.counts()[i]);
  }
  return initialize_softmax(std::move(vocabulary), counts, width, request.training.seed);
}

}  // namespace elmo

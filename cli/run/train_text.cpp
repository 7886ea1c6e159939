#include "cli/run/train_text.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/flags/input.h"
#include "cli/human.h"
#include "cli/report/report.h"
#include "cli/report/status_line.h"
#include "cli/run/input_fingerprint.h"
#include "core/error.h"
#include "core/model/initialize.h"
#include "io/model/files.h"
#include "io/model/vocabulary.h"
#include "io/text/source/input_files.h"
#include "io/train/corpus_vocabulary.h"

namespace elmo {
namespace {

void report_reading(const Report& report, InputCounters counters) {
  report.count(std::exchange(counters.empty_sentences, 0), "empty sentence", "left out");
  report_input(report, counters);
}

/// What the corpus file is made of.
std::string corpus_fingerprint(const TrainFlags& flags) {
  return to_string(describe_tokenizer(flags.input)) + "; " + input_format_text(flags.input) + "; " +
         input_files_text(flags.input);
}

Vocabulary new_vocabulary(const TrainFlags& flags, const EncodedCorpus& corpus) {
  if (flags.vocabulary.empty()) return build_vocabulary(corpus, flags.limits);
  return parse_word_list(read_model_file({}, flags.vocabulary, kMaxVocabularyBytes),
                         flags.vocabulary);
}

}  // namespace

InputOptions validation_input(const TrainFlags& flags) {
  InputOptions input = flags.input;
  input.files = {flags.valid};
  return input;
}

void check_validation(const TrainFlags& flags) {
  for (const InputFile& file : list_input_files({flags.valid}, nullptr, flags.output)) {
    if (file.size) continue;
    throw RequestError("--valid: found " + file.path +
                       ", a pipe, expected a file, for it is read many times");
  }
  const std::unique_ptr<TextSource> source = open_source(validation_input(flags));
  Sentence sentence;
  while (source->next(sentence)) {
    if (sentence.size() > 0) return;
  }
  throw InputError(flags.valid + ": has no token; expected text to validate with");
}

std::optional<EncodedCorpus> encoded_corpus(const TrainFlags& flags,
                                            const std::filesystem::path& path,
                                            const std::atomic<bool>& stop) {
  const std::string fingerprint = corpus_fingerprint(flags);
  if (!flags.overwrite) {
    if (std::optional<EncodedCorpus> corpus = open_encoded_corpus(path, fingerprint)) return corpus;
  }
  InputOptions input = flags.input;
  input.stop = &stop;
  const std::unique_ptr<TextSource> source = open_source(input);
  StatusLine status(flags.quiet);
  const auto progress = [&status](const EncodingProgress& done) {
    if (status.due()) status.show("reading: " + human_count(done.tokens, "token"));
  };
  std::optional<EncodedCorpus> corpus =
      encode_corpus(*source, path, fingerprint, EncodingWatch{progress, &stop});
  status.clear();
  if (corpus) report_reading(Report(flags.quiet), source->counters());
  return corpus;
}

EncodedCorpus corpus_of_rank_0(const TrainFlags& flags, const std::filesystem::path& path) {
  std::optional<EncodedCorpus> corpus = open_encoded_corpus(path, corpus_fingerprint(flags));
  if (!corpus) {
    throw SystemError(path.string() +
                      ": not the file that rank 0 has made of the text; expected all ranks to see "
                      "the same files, in a folder that their machines share");
  }
  return std::move(*corpus);
}

SoftmaxLayer new_softmax(const TrainFlags& flags, const EncodedCorpus& corpus, std::int64_t width) {
  Vocabulary vocabulary = new_vocabulary(flags, corpus);
  const std::vector<std::int32_t> targets = target_rows(corpus, vocabulary);
  // Both directions predict each word, and one of them each boundary.
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(vocabulary.size()));
  const auto add = [&](std::size_t type, std::uint64_t count) {
    counts[static_cast<std::size_t>(targets[type])] += count;
  };
  add(kBeginSentenceType, corpus.sentence_ends().size());
  add(kEndSentenceType, corpus.sentence_ends().size());
  for (std::size_t i = 0; i < corpus.counts().size(); ++i) {
    add(kFirstType + i, 2 * corpus.counts()[i]);
  }
  return initialize_softmax(std::move(vocabulary), counts, width, flags.training.seed);
}

}  // namespace elmo

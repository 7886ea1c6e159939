// Labeled texts and pairs of texts, in files of common formats.
//
// - lines: `label TAB text`; for pairs `label TAB text TAB text`. Spans refer to the file.
// - jsonl: one record per line, {"text", "label"} or {"tokens", "label"}; for pairs {"text1",
//   "text2", "label"}, {"tokens1", "tokens2", "label"}, {"premise", "hypothesis", "label"}, or
//   SNLI's and MultiNLI's {"sentence1", "sentence2", "gold_label"}. A label is a string or a
//   number. A list of tokens is used as it is. Each record is a document, named by its field "id"
//   or else its line; spans refer to its text, or to its tokens joined by spaces. Pairs that their
//   annotators did not agree on have "gold_label" "-" or the number -1 as "label" (as exported by
//   Hugging Face). They are skipped and counted, as in all work on these corpora.
//
// Texts to be labeled may have a label, which is ignored, or none: one text per line, for pairs
// `text TAB text`, or records without a label.
//
// Blank lines are skipped. ICU's word segmentation (tokenizer.h) tokenizes text. A text is one
// sentence, however many sentences it contains: task models and the biLM read it as one sequence,
// as in published models with ELMo. Its tokens are the same as if it were a line of text.
//
// Files are UTF-8; those that begin like gzip, zstd, xz or bzip2 are decompressed. Invalid UTF-8 is
// read as U+FFFD.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/tasks/common/labeled_sentence.h"
#include "io/labeled/common/labeled_file.h"
#include "io/text/bytes/byte_source.h"

namespace elmo {

struct LabeledTextInput {
  std::string file;          ///< "-" is standard input
  bool pairs = false;        ///< two texts per label
  bool labeled = true;       ///< else labels are ignored, and texts may have no words
  bool label_column = true;  ///< lines begin with a label, used or ignored
  TokenizerSettings tokenizer;
  bool strict = false;  ///< see ExampleInput
  bool skip_bad_records = false;

  /// Once true, next() throws ReadingStopped instead of waiting for a pipe. Not owned; may be null.
  const std::atomic<bool>* stop = nullptr;
};

/// Opens the file and inspects its beginning. Files that end in .jsonl (before an extension of
/// compression) or begin with `{` are jsonl, all others lines. next() gives each text with one
/// label. The two texts of a pair come one after the other, each with the pair's label. If labels
/// are not read, texts have none. Memory is bounded: a record of more than kMaxSentenceBytes, a
/// text of more than kDefaultMaxSentenceTokens (core/inference/sentence_cutter.h) and a label of
/// more than 1024 bytes are malformed. `bytes`, if given, are the content of the file, which is
/// then not opened or decompressed. InputError if there is no such file, RequestError for an
/// unknown locale. next() throws InputError, naming file and line, for violations of the format (a
/// text without a label or without any token), and at the end of a file without any text.
std::unique_ptr<LabeledFile> open_labeled_texts(const LabeledTextInput& input,
                                                std::unique_ptr<ByteSource> bytes = nullptr);

}  // namespace elmo

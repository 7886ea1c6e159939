// Labeled texts, and pairs of texts, in files of the formats that people keep them in.
//
// - lines: `label TAB text`, of pairs `label TAB text TAB text`. Spans point into the file.
// - jsonl: a record a line, {"text", "label"} or {"tokens", "label"}; of pairs {"text1", "text2",
//   "label"}, {"tokens1", "tokens2", "label"}, {"premise", "hypothesis", "label"}, or SNLI's and
//   MultiNLI's {"sentence1", "sentence2", "gold_label"}. A label is a string or a number, a list of
//   tokens is read as it is. A document is a record, named by its field "id" or else its line;
//   spans point into its text, or into its tokens joined by spaces. Pairs that their annotators did
//   not agree on, whose "gold_label" is "-" or whose "label" is the number -1 (as Hugging Face
//   exports them), are left out and counted, as in all work on these corpora.
//
// Texts to be labeled may have a label, which is passed over, or none: a text a line, of pairs
// `text TAB text`, or records without one.
//
// Blank lines are none. Text is tokenized by ICU's words (tokenizer.h). A text is one sentence,
// however many sentences it holds: task models read it as one sequence, and the biLM in one piece,
// as published models with ELMo do. Its tokens are the same as if it were a line of text.
//
// Files are UTF-8, decompressed where they begin like gzip, zstd, xz or bzip2. What is invalid is
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
  bool pairs = false;        ///< two texts a label
  bool labeled = true;       ///< else labels are not looked at, and texts may be without words
  bool label_column = true;  ///< lines begin with a label, if only to be passed over
  TokenizerSettings tokenizer;
  bool strict = false;  ///< as ExampleInput has it
  bool skip_bad_records = false;

  /// Once true, next() throws ReadingStopped where it would wait for a pipe; not owned, may be
  /// null.
  const std::atomic<bool>* stop = nullptr;
};

/// Opens the file and looks at its beginning: what ends in .jsonl (in front of what compression
/// adds) or begins with `{` is jsonl, all else lines. next() gives each text with one label; the
/// two texts of a pair come one after the other, each with the pair's label; where labels are not
/// read, they have none. Memory is bounded: a record of more than kMaxSentenceBytes, a text of more
/// than kDefaultMaxSentenceTokens (core/inference/sentence_cutter.h) and a label of more than 1024
/// bytes are malformed. `bytes`, if given, are those of the file, which else is opened and
/// decompressed. InputError if there is no such file, RequestError for an unknown locale. next()
/// throws InputError, naming file and line, for what the format does not allow (a text
/// without a label or without any token), and at the end of a file that has no text at all.
std::unique_ptr<LabeledFile> open_labeled_texts(const LabeledTextInput& input,
                                                std::unique_ptr<ByteSource> bytes = nullptr);

}  // namespace elmo

// The description of a form in which activations leave the program. outputs.h lists all forms.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/inference/activations.h"
#include "io/dtype.h"
#include "io/files/descriptor.h"
#include "io/provenance.h"

namespace elmo {

/// The meaning of an output's row.
enum class RowKind {
  tokens,        ///< a token; batches hold sentences
  pooled,        ///< a sentence or a document; batches hold pooled rows
  stored_pooled  ///< the same as RunReader returns them: sentences of one token
};

/// The numbers of rows and sentences of a whole output.
struct RowCounts {
  std::uint64_t tokens = 0;
  std::uint64_t sentences = 0;
};

/// The rows that an output receives.
struct OutputRows {
  ActivationLayout layout;
  Dtype dtype = Dtype::float32;  ///< stored type
  RowKind kind = RowKind::tokens;
  bool boundaries = false;  ///< first and last token of a sentence are `<S>` and `</S>`
  bool rounded = false;     ///< the numbers are rounded to `dtype` already
  std::optional<RowCounts> counts = {};  ///< nothing: not known before the last row
  Provenance about = {};                 ///< provenance of the run, for formats with metadata
  bool forget_sentences = false;         ///< allennlp: omit `sentence_to_index`
  std::uint64_t min_count = 1;           ///< of_words: leave out words that occur less often
};

/// The destination of an output: a file, or a stream that must outlive the sink.
struct OutputTarget {
  std::string path = {};  ///< empty: `stream`
  Stream* stream = nullptr;
  bool overwrite = false;  ///< replace an existing file
};

/// A sink that was opened by an OutputFormat. Files get their final names in finish(). One thread
/// at a time.
class OutputSink : public ActivationSink {
 public:
  /// See AtomicFile::warning.
  virtual std::string warning() const { return {}; }
  /// Describes what finish() wrote; empty if the rows say it all.
  virtual std::string summary() const { return {}; }
};

/// The description of a form.
struct OutputFormat {
  std::string_view name;                      ///< name that users type
  std::string_view help;                      ///< contents, for the help
  std::array<std::string_view, 2> endings{};  ///< of file names
  std::string_view files = {};                ///< about its files, for the help
  bool to_stream = false;                     ///< a stream can hold it, too
  bool of_words = false;      ///< rows are words with their mean vectors, in float32
  bool keeps_lines = false;   ///< reads the lines of sentences (FormatOptions::keep_lines)
  bool all_tokens = false;    ///< exporting a stored run needs rows for all tokens
  bool exported = false;      ///< a stored run can be written in this form
  bool computed = true;       ///< rows can be written as they are computed
  bool has_metadata = false;  ///< holds OutputRows::about
  /// Note about a run that was stopped; empty for streams.
  std::string_view stopped = {};
  /// Returns why a stream or a file of this form cannot hold the dtype; empty if it can.
  std::string (*refusal)(Dtype dtype, bool stream) = [](Dtype, bool) { return std::string(); };
  /// Opens the form. REQUIRES: refusal() is empty and the target is one of its kinds. Null for
  /// shards, which ShardRun opens. Errors: as begin_file.
  std::unique_ptr<OutputSink> (*open)(const OutputTarget& target, const OutputRows& rows) = nullptr;

  /// A folder of shards, in which a stopped run continues.
  bool is_shards() const { return open == nullptr; }
  bool has_ending(std::string_view ending) const {
    return !ending.empty() && std::ranges::count(endings, ending) > 0;
  }
};

}  // namespace elmo

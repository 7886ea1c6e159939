// One HDF5 file with a dataset for each sentence, as existing consumers of ELMo vectors read it:
// --layout allennlp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/sink.h"
#include "io/files/atomic_file.h"
#include "io/files/lock.h"
#include "io/h5/writer.h"

namespace elmo {

struct AllenNlpOptions {
  bool forget_sentences = false;  ///< leave `sentence_to_index` out
  bool boundaries = false;        ///< first and last token of a sentence are `<S>` and `</S>`
  bool overwrite = false;         ///< replace a file of that name
};

/// Writes datasets "0", "1", … of float32, numbered as the run's sentences are: [L+1, T, 2P] where
/// all layers are wanted, with layer 0 = [x; x] and layer j = [forward_j; backward_j], else [T,
/// 2P]. A sentence without tokens has a dataset with T = 0, so numbers stay those of the input's
/// lines.
///
/// `sentence_to_index`, of shape (1,), is a JSON object that maps each sentence, its source where
/// it has one, else its tokens separated by single spaces, to its number as a string. Of equal
/// sentences the last one counts, as readers of JSON take it. It is kept in memory until the end;
/// nothing else is.
///
/// The file gets its name when the run is finished; a run that is stopped leaves none and cannot be
/// resumed. Errors: RequestError where a file of that name exists and is not to be overwritten, and
/// as AtomicFile; SystemError. One thread at a time.
class AllenNlpSink final : public ActivationSink {
 public:
  AllenNlpSink(const std::filesystem::path& path, ActivationLayout layout,
               const AllenNlpOptions& options);

  /// Warning if the file system has no locks, else empty: another run may
  /// write the same file.
  std::string warning() const { return file_.locked() ? "" : no_lock_warning(file_.path()); }

  void write(const ActivationBatch& batch) override;
  void end_segment(const SegmentEnd&) override {}
  void finish() override;

 private:
  void write_sentence(const std::string& name, std::size_t tokens, const float* activations);
  void remember(const std::string& name, const Sentence& sentence);

  AtomicFile file_;
  ActivationLayout layout_;
  AllenNlpOptions options_;
  std::optional<h5::Writer> writer_;
  std::vector<float> layers_;           ///< a sentence as [L+1, T, 2P]
  std::string sentence_to_index_{"{"};  ///< JSON, without its end
};

}  // namespace elmo

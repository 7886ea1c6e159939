// One HDF5 file with a dataset for each sentence, the layout that existing consumers of ELMo
// vectors read: --layout allennlp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/inference/activations.h"
#include "io/files/atomic_file.h"
#include "io/h5/writer.h"

namespace elmo {

/// Options of a file in the layout of AllenNLP's `elmo` command.
struct AllenNlpOptions {
  bool forget_sentences = false;  ///< omit `sentence_to_index`
  bool boundaries = false;        ///< first and last token of a sentence are `<S>` and `</S>`
  bool overwrite = false;         ///< replace an existing file
};

/// Writes float32 datasets "0", "1", …, numbered like the run's sentences. With all layers, the
/// shape is [L+1, T, 2P], with layer 0 = [x; x] and layer j = [forward_j; backward_j]; otherwise it
/// is [T, 2P]. A sentence without tokens has a dataset with T = 0, so that the numbers match the
/// input's lines.
///
/// `sentence_to_index`, of shape (1,), is a JSON object that maps each sentence to its number as a
/// string. The key is the sentence's source if it has one, otherwise its tokens separated by single
/// spaces. Of equal sentences the last one counts, as in JSON readers. The object is the only data
/// kept in memory until the end.
///
/// The file gets its final name when the run is finished; a run that is stopped leaves no file and
/// cannot be resumed. Errors: as begin_file; SystemError. One thread at a time.
class AllenNlpSink final : public ActivationSink {
 public:
  AllenNlpSink(const std::filesystem::path& path, ActivationLayout layout,
               const AllenNlpOptions& options);

  /// As AtomicFile::warning.
  std::string warning() const { return file_.warning(); }

  void write(const ActivationBatch& batch) override;
  void finish() override;

 private:
  void write_sentence(const std::string& name, std::size_t tokens, const float* activations);
  void remember(const std::string& name, const Sentence& sentence);

  AtomicFile file_;
  ActivationLayout layout_;
  AllenNlpOptions options_;
  h5::Writer writer_;
  std::vector<float> layers_;           ///< a sentence as [L+1, T, 2P]
  std::string sentence_to_index_{"{"};  ///< JSON without the closing brace
};

}  // namespace elmo

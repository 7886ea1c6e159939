// One HDF5 file with a dataset for each sentence, the layout that existing consumers of ELMo
// vectors read.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/inference/activations.h"
#include "io/dtype.h"
#include "io/files/atomic_file.h"
#include "io/h5/writer.h"
#include "io/outputs/output_format.h"

namespace elmo {

/// Writes float32 or float16 datasets "0", "1", …, numbered like the run's sentences. With all
/// layers, the shape is [L+1, T, 2P], with layer 0 = [x; x] and layer j = [forward_j; backward_j];
/// otherwise it is [T, 2P]. A sentence without tokens has a dataset with T = 0, so that the numbers
/// match the input's lines.
///
/// `sentence_to_index`, of shape (1,), is a JSON object that maps each sentence to its number as a
/// string. The key is the sentence's source if it has one, otherwise its tokens separated by single
/// spaces. Of equal sentences the last one counts, as in JSON readers. The object is the only data
/// kept in memory until the end.
///
/// The file gets its final name when the run is finished; a run that is stopped leaves no file and
/// cannot be resumed. Errors: as begin_file; SystemError. One thread at a time.
class AllenNlpSink final : public OutputSink {
 public:
  AllenNlpSink(const OutputTarget& target, const OutputRows& rows);

  std::string warning() const override { return file_.warning(); }
  SinkTraits traits() const override { return sink_traits(rows_.dtype); }

  void write(const ActivationBatch& batch) override;
  void finish() override;

 private:
  void write_sentence(const std::string& name, std::size_t tokens, const float* activations);
  void write_values(const std::string& name, std::span<const std::uint64_t> shape,
                    std::span<const float> values);
  void remember(const std::string& name, const Sentence& sentence);

  AtomicFile file_;
  OutputRows rows_;
  h5::Writer writer_;
  Encoder encoder_;
  std::vector<float> layers_;           ///< a sentence as [L+1, T, 2P]
  std::string sentence_to_index_{"{"};  ///< JSON without the closing brace
};

/// OutputFormat::open of this form.
std::unique_ptr<OutputSink> open_allennlp(const OutputTarget& target, const OutputRows& rows);

}  // namespace elmo

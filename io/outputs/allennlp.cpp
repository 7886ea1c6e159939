// One HDF5 file with a dataset for each sentence.
#include <algorithm>
#include <limits>
#include <vector>

#include "core/error.h"
#include "io/dtype.h"
#include "io/h5/writer.h"
#include "io/json/json.h"
#include "io/outputs/sinks.h"
namespace elmo {
namespace {

class AllenNlpSink final : public OutputSink {
 public:
  AllenNlpSink(const OutputTarget& target, const OutputRows& rows)
      : file_(begin_file(target.path, target.overwrite)),
        rows_(rows),
        writer_(file_.temporary_path()),
        encoder_(rows.dtype, static_cast<std::size_t>(rows.layout.width)) {}

  std::string warning() const override { return file_.warning(); }
  SinkTraits traits() const override { return sink_traits(rows_.dtype); }

  void write(const ActivationBatch& batch) override {
    std::uint64_t number = batch.first_sentence;
    const float* activations = batch.activations.data();
    for (const Sentence& sentence : batch.sentences) {
      const std::string name = std::to_string(number++);
      write_sentence(name, sentence.size(), activations);
      activations += sentence.size() * static_cast<std::size_t>(rows_.layout.values_per_token());
      if (!rows_.forget_sentences) remember(name, sentence);
    }
  }

  void finish() override {
    if (!rows_.forget_sentences) {
      sentence_to_index_ += '}';
      writer_.write("sentence_to_index", std::span<const std::string>(&sentence_to_index_, 1));
    }
    writer_.close();
    file_.publish();
  }

 private:
  void write_sentence(const std::string& name, std::size_t tokens, const float* activations) {
    const auto rows = static_cast<std::size_t>(rows_.layout.row_count());
    const auto width = static_cast<std::size_t>(rows_.layout.width);
    if (rows == 1) {
      const std::vector<std::uint64_t> shape{tokens, width};
      write_values(name, shape, {activations, tokens * width});
      return;
    }
    // Rows are x, forward_1, backward_1, …
    const std::size_t layers = (rows + 1) / 2;
    layers_.resize(layers * tokens * 2 * width);
    float* to = layers_.data();
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const std::size_t forward = layer == 0 ? 0 : 2 * layer - 1;
      const std::size_t backward = 2 * layer;
      for (std::size_t token = 0; token < tokens; ++token) {
        const float* from = activations + token * rows * width;
        to = std::copy_n(from + forward * width, width, to);
        to = std::copy_n(from + backward * width, width, to);
      }
    }
    const std::vector<std::uint64_t> shape{layers, tokens, 2 * width};
    write_values(name, shape, layers_);
  }

  void write_values(const std::string& name, std::span<const std::uint64_t> shape,
                    std::span<const float> values) {
    const bool half = rows_.dtype == Dtype::float16;
    writer_.write(name, shape, half ? h5::Element::float16 : h5::Element::float32,
                  encoder_.encode(values));
  }

  void remember(const std::string& name, const Sentence& sentence) {
    const std::size_t first = rows_.boundaries && sentence.size() > 0 ? 1 : 0;
    std::string text = sentence.source;
    for (std::size_t token = first; sentence.source.empty() && token + first < sentence.size();
         ++token) {
      if (token != first) text += ' ';
      text += sentence.token(token);
    }
    if (sentence_to_index_.size() > 1) sentence_to_index_ += ", ";
    sentence_to_index_ += json_text(text);
    sentence_to_index_ += ": \"";
    sentence_to_index_ += name;
    sentence_to_index_ += '"';
    // HDF5 stores the length of a string in 32 bits.
    if (sentence_to_index_.size() >= std::numeric_limits<std::uint32_t>::max()) {
      throw RequestError("sentence_to_index cannot hold more than 4 GiB of text",
                         Remedy{"forget_sentences"});
    }
  }

  AtomicFile file_;
  OutputRows rows_;
  h5::Writer writer_;
  Encoder encoder_;
  std::vector<float> layers_;           ///< a sentence as [L+1, T, 2P]
  std::string sentence_to_index_{"{"};  ///< JSON without the closing brace
};

}  // namespace

std::unique_ptr<OutputSink> open_allennlp(const OutputTarget& target, const OutputRows& rows) {
  return std::make_unique<AllenNlpSink>(target, rows);
}

}  // namespace elmo

// Word vectors in the formats of word2vec.
#include <bit>
#include <span>
#include <vector>

#include "core/text.h"
#include "io/json/json.h"
#include "io/outputs/sinks.h"
namespace elmo {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

std::string words_summary(std::uint64_t written, const WordAverages& averages) {
  return human_count(written) + " of " + human_count(averages.size(), "word") + " written, of " +
         human_count(averages.dimensions(), "number") + " each";
}

namespace {

class WordVectorSink final : public OutputSink {
 public:
  WordVectorSink(const OutputTarget& target, const OutputRows& rows, WordVectorFormat format)
      : file_(begin_file(target.path, target.overwrite)),
        averages_(rows.layout),
        format_(format),
        min_count_(rows.min_count) {}

  std::string warning() const override { return file_.warning(); }
  std::string summary() const override { return words_summary(written_, averages_); }

  void write(const ActivationBatch& batch) override { averages_.write(batch); }
  void finish() override {
    const std::vector<AveragedWord> words = averages_.words(min_count_);
    written_ = words.size();
    std::string line = std::to_string(words.size());
    line.append(" ").append(std::to_string(averages_.dimensions())).append("\n");
    file_.append(line);
    std::vector<float> means(averages_.dimensions());
    for (const AveragedWord& word : words) {
      word.mean(means);
      line = word.text;
      if (format_ == WordVectorFormat::binary) {
        line += ' ';
        file_.append(line);
        file_.append(std::as_bytes(std::span(means)));
        line.clear();
      } else {
        for (const float mean : means) line.append(" ").append(number_text(mean));
      }
      line += '\n';
      file_.append(line);
    }
    file_.publish();
  }

 private:
  AtomicFile file_;
  WordAverages averages_;
  WordVectorFormat format_;
  std::uint64_t min_count_;
  std::uint64_t written_ = 0;  // number of words
};

}  // namespace

std::unique_ptr<OutputSink> open_word_vectors(const OutputTarget& target, const OutputRows& rows,
                                              WordVectorFormat format) {
  return std::make_unique<WordVectorSink>(target, rows, format);
}

}  // namespace elmo

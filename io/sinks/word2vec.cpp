#include "io/sinks/word2vec.h"

#include <bit>
#include <span>
#include <vector>

#include "io/json/json.h"
#include "io/sinks/arrays.h"

namespace elmo {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

WordVectorFile::WordVectorFile(const std::filesystem::path& path, WordVectorFormat format,
                               bool overwrite)
    : file_(begin_file(path, overwrite)), format_(format) {}

std::uint64_t WordVectorFile::publish(const WordAverages& averages, std::uint64_t min_count) {
  const std::vector<AveragedWord> words = averages.words(min_count);
  std::string line = std::to_string(words.size());
  line.append(" ").append(std::to_string(averages.dimensions())).append("\n");
  file_.append(line);
  std::vector<float> means(averages.dimensions());
  for (const AveragedWord& word : words) {
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i] = static_cast<float>(word.sums[i] / static_cast<double>(word.count));
    }
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
  return words.size();
}

}  // namespace elmo

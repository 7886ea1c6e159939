#include "io/sinks/arrays.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

// Size of the pieces that are converted at once: they stay in the cache until they are written.
constexpr std::size_t kArrayPieceBytes = std::size_t{256} << 10;

}  // namespace

std::vector<std::uint64_t> ArrayShapes::activations() const {
  return {tokens, static_cast<std::uint64_t>(layout.row_count()),
          static_cast<std::uint64_t>(layout.width)};
}

std::vector<std::uint64_t> ArrayShapes::scales() const {
  return {tokens, static_cast<std::uint64_t>(layout.row_count())};
}

AtomicFile begin_file(const std::filesystem::path& path, bool overwrite) {
  AtomicFile file(path);
  // The check follows the lock: nobody else can publish the file now.
  if (!overwrite && std::filesystem::exists(file.path())) {
    throw RequestError(path.string() + " exists", Remedy::replace_file);
  }
  return file;
}

ArraySink::ArraySink(ArrayFiles& files, ArrayShapes shapes)
    : files_(files),
      shapes_(std::move(shapes)),
      encoder_(shapes_.dtype, static_cast<std::size_t>(shapes_.layout.width)) {
  files_.append_offset(0);
}

void ArraySink::write(const ActivationBatch& batch) {
  for (const Sentence& sentence : batch.sentences) {
    tokens_ += sentence.size();
    files_.append_offset(tokens_);
  }
  sentences_ += batch.sentences.size();
  const auto values = static_cast<std::size_t>(shapes_.layout.values_per_token());
  const std::size_t piece =
      std::max<std::size_t>(1, kArrayPieceBytes / sizeof(float) / values) * values;
  for (std::size_t begin = 0; begin < batch.activations.size(); begin += piece) {
    const std::size_t count = std::min(piece, batch.activations.size() - begin);
    files_.append_activations(encoder_.encode(batch.activations.subspan(begin, count)));
    files_.append_scales(encoder_.scales());
  }
}

void ArraySink::finish() {
  if (tokens_ != shapes_.tokens || sentences_ != shapes_.sentences) {
    throw std::logic_error("a run has another size than it was said to have");
  }
  files_.publish();
}

}  // namespace elmo

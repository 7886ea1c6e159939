#include "cli/run/sample_sizes.h"

#include <filesystem>

#include "cli/run/scratch_folder.h"
#include "core/error.h"
#include "core/inference/layer_mixing.h"
#include "io/h5/reader.h"
#include "io/shard/format/columns.h"
#include "io/shard/write/shard_file.h"

namespace elmo {
namespace {

std::vector<h5::Compression> compressions() {
  std::vector<h5::Compression> all{h5::Compression::none, h5::Compression::gzip};
  try {
    h5::require_compression(h5::Compression::zstd);
    all.push_back(h5::Compression::zstd);
  } catch (const RequestError&) {
    // Not here.
  }
  return all;
}

double token_bytes(const std::filesystem::path& path, const ActivationBatch& batch,
                   const ShardFormat& format) {
  if (format.compression == h5::Compression::none) {
    // Of a short dataset the last chunk would count, which is not full.
    const std::int64_t scales = format.dtype == Dtype::int8 ? format.layout.row_count() : 0;
    return static_cast<double>(format.layout.values_per_token()) *
               static_cast<double>(dtype_bytes(format.dtype)) +
           static_cast<double>(scales) * sizeof(float);
  }
  ShardFile shard(path, format, {}, batch.first_sentence, InputHash());
  shard.write(batch);
  shard.close({batch.first_sentence + batch.sentences.size(), {}});
  const h5::Reader reader(path);
  std::uint64_t bytes = reader.dataset(path_of(ColumnId::activations)).info().storage_bytes;
  if (format.dtype == Dtype::int8) {
    bytes += reader.dataset(path_of(ColumnId::scales)).info().storage_bytes;
  }
  return static_cast<double>(bytes) / static_cast<double>(batch.token_count());
}

}  // namespace

std::vector<SampleSize> measure_sizes(const ActivationBlock& sample,
                                      const ActivationLayout& layout) {
  const ScratchFolder folder;
  EmbedOptions top;
  top.layers = LayerSelection::top;
  std::vector<float> mixed;
  mix_sentences(sample.view(), layout,
                layer_weights(static_cast<std::size_t>(layout.row_count() / 2 + 1), top), mixed);
  std::vector<SampleSize> sizes;
  for (const bool all : {true, false}) {
    ActivationBatch batch = sample.view();
    ShardFormat format{layout};
    if (!all) {
      batch.activations = mixed;
      format.layout = {{"top"}, 2 * layout.width};
    }
    for (const auto& [word, dtype] : kDtypes) {
      format.dtype = dtype;
      for (const h5::Compression compression : compressions()) {
        format.compression = compression;
        sizes.push_back({all, dtype, compression, token_bytes(folder / "shard.h5", batch, format)});
      }
    }
  }
  return sizes;
}

}  // namespace elmo

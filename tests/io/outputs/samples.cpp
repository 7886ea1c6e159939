// Writes files for other libraries' readers. tests/io/outputs/python_readers_test.py runs this and
// reads the files.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "io/outputs/arrow.h"
#include "io/outputs/sinks.h"
#include "io/outputs/stream_sinks.h"
#include "io/shard/shard_run.h"
#include "tests/fixtures/activations.h"

namespace elmo {
namespace {

constexpr std::uint64_t kSampleSentences = 20;

void write_stream(const std::filesystem::path& path, const ActivationLayout& layout, Dtype dtype,
                  std::unique_ptr<OutputSink> (*open)(const OutputTarget&, const OutputRows&)) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  REQUIRE(descriptor >= 0);
  Stream stream(descriptor, path.string());
  feed(*open({.stream = &stream}, {.layout = layout, .dtype = dtype}), layout, 0, kSampleSentences,
       kSampleSentences);
  ::close(descriptor);
}

/// Writes both a stream and a file.
void write_arrow(const std::filesystem::path& path, const ActivationLayout& layout, Dtype dtype) {
  for (const char* extension : {".arrows", ".arrow"}) {
    const OutputRows rows{.layout = layout, .dtype = dtype, .about = {{"model", "sample"}}};
    feed(*open_arrow({.path = path.string() + extension}, rows), layout, 0, kSampleSentences,
         kSampleSentences);
  }
}

TEST_CASE("samples for other readers" * doctest::skip()) {
  const char* folder = std::getenv("ELMO_SAMPLES");
  REQUIRE(folder != nullptr);
  const std::filesystem::path dir(folder);
  const ActivationLayout layout{{"x", "forward_1", "backward_1"}, 4};
  for (const auto& [word, dtype] : kDtypes) {
    const std::string name(word);
    ShardFormat format;
    format.layout = layout;
    format.dtype = dtype;
    format.compression = dtype == Dtype::float16 ? h5::Compression::gzip : h5::Compression::none;
    ShardRun run(dir / name, {{"model", "sample"}}, RunMode::create, format);
    feed(run, layout, 0, kSampleSentences, 8);
    if (not_in_numpy(dtype).empty()) write_stream(dir / (name + ".npy"), layout, dtype, open_npy);
    write_stream(dir / (name + ".jsonl"), layout, dtype, open_jsonl);
    if (not_in_arrow(dtype).empty()) write_arrow(dir / name, layout, dtype);
  }
  feed(*open_allennlp({.path = (dir / "allennlp.hdf5").string()}, {.layout = layout}), layout, 0,
       kSampleSentences, 8);
}

}  // namespace
}  // namespace elmo

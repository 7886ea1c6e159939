// The plugin that zstd comes as is rarely installed where tests run. A filter of its number stands
// in for it here; tests/cli/compression_test.py takes the plugin where there is one.
#include "io/h5/compression.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "io/h5/column.h"
#include "io/h5/library.h"
#include "io/h5/reader.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo::h5 {
namespace {

std::size_t flip(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*,
                 void** buffer) {
  auto* const values = static_cast<unsigned char*>(*buffer);
  for (std::size_t at = 0; at < bytes; ++at) values[at] = static_cast<unsigned char>(~values[at]);
  return bytes;
}

class StandIn {
 public:
  StandIn() {
    const Call call;
    const H5Z_class2_t filter{H5Z_CLASS_T_VERS, kZstdFilter, 1, 1, "flip", nullptr, nullptr, flip};
    REQUIRE(H5Zregister(&filter) >= 0);
  }
  ~StandIn() {
    const Call call;
    H5Zunregister(kZstdFilter);
  }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
};

template <typename Error>
std::string message(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_CASE("zstd is written and read with its filter, and rejected without it") {
  if (load_zstd()) {
    MESSAGE("skipped: HDF5's zstd filter is installed");
    return;
  }
  const TempDir dir;
  const std::string missing = message<RequestError>([] { require_compression(Compression::zstd); });
  CHECK(missing.find("32015") != std::string::npos);
  CHECK(missing.find("HDF5_PLUGIN_PATH") != std::string::npos);
  CHECK(missing.find("looked for in /") != std::string::npos);
  require_compression(Compression::gzip);

  const std::vector<float> values{1, 2, 3, 4};
  {
    const StandIn filter;
    require_compression(Compression::zstd);
    Writer writer(dir / "zstd.h5");
    Column column(writer, "rows", Element::float32, {2}, Compression::zstd);
    column.append(std::as_bytes(std::span(values)));
    column.finish();
    writer.close();
    const Dataset dataset = Reader(dir / "zstd.h5").dataset("rows");
    CHECK(dataset.info().filters == "shuffle zstd");
    std::vector<float> read(values.size());
    dataset.read(read);
    CHECK(read == values);
  }
  const Reader reader(dir / "zstd.h5");
  const std::string unreadable = message<InputError>([&] { reader.dataset("rows"); });
  CHECK(unreadable.find("rows cannot be read") != std::string::npos);
  CHECK(unreadable.find("32015") != std::string::npos);
}

}  // namespace
}  // namespace elmo::h5

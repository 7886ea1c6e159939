// The contents of a shard must be consistent, even if its checksums match.
#include "io/shard/check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "io/h5/library.h"
#include "io/shard/format.h"
#include "io/shard/shard_run.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// Makes a run with one shard of nine sentences.
class OneShard {
 public:
  OneShard() {
    ShardFormat format;
    format.layout = small_layout();
    ShardRun made(dir_ / "run", {{"model", "0123"}}, RunMode::create, format);
    feed(made, format.layout, 0, 9, 9);
    run = made.manifest();
    entry = run.shards.front();
  }

  /// Sets one integer of a dataset, and removes the dataset's checksum from the entry.
  void set(const char* path, std::size_t at, std::uint64_t value) {
    const h5::Call call;
    const auto column =
        std::ranges::find(kShardColumns, std::string_view(path), &ShardColumn::path);
    const std::filesystem::path changed =
        shard().parent_path() / (column->in_tables() ? entry.tables.file : entry.file);
    const hid_t file = H5Fopen(changed.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    REQUIRE(at < all.size());
    H5Dread(dataset, H5T_NATIVE_UINT64, h5::kWholeSpace, h5::kWholeSpace, H5P_DEFAULT, all.data());
    all[at] = value;
    REQUIRE(H5Dwrite(dataset, H5T_NATIVE_UINT64, h5::kWholeSpace, h5::kWholeSpace, H5P_DEFAULT,
                     all.data()) >= 0);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    entry.checksums.erase(path);
  }

  std::vector<std::string> problems() const { return check_shard(shard(), entry, run).problems; }

  void expect_one_problem(const std::string& text) const {
    const std::vector<std::string> found = problems();
    REQUIRE(found.size() == 1);
    CAPTURE(found.front());
    CHECK(found.front().find(text) != std::string::npos);
  }

  Manifest run;
  ShardEntry entry;

 private:
  std::filesystem::path shard() const { return dir_ / "run" / "shard-00000.h5"; }

  TempDir dir_;
};

TEST_CASE("a sound shard has no problems") { CHECK(OneShard().problems().empty()); }

TEST_CASE("offsets must begin at 0, grow, and end at the number of tokens") {
  for (const auto& [at, value, text] : {std::tuple{0, 1, "first of sentences/offsets is 1"},
                                        std::tuple{2, 1000, "sentence 1 has offsets 2 to 1000"},
                                        std::tuple{3, 0, "sentence 2 has offsets"}}) {
    OneShard shard;
    shard.set(path_of(ColumnId::offsets), static_cast<std::size_t>(at),
              static_cast<std::uint64_t>(value));
    bool said = false;
    for (const std::string& problem : shard.problems()) {
      said = said || problem.find(text) != std::string::npos;
    }
    CHECK(said);
  }
}

TEST_CASE("the sentence numbers of rows must match the offsets") {
  OneShard shard;
  shard.set(path_of(ColumnId::sentence), 3, 7);
  shard.expect_one_problem("sentence of row 3 is 7; expected 2");
}

TEST_CASE("the documents of rows must match those of their sentences") {
  OneShard shard;
  shard.set(path_of(ColumnId::document), 3, 7);
  shard.expect_one_problem("document of row 3 is 7; expected 0");
}

TEST_CASE("spans must not end before they begin") {
  OneShard shard;
  shard.set(path_of(ColumnId::spans), 8, 1'000'000);
  shard.expect_one_problem("the span of row 4 ends before it begins");
}

TEST_CASE("the documents of sentences must be listed, in order") {
  {
    OneShard shard;
    shard.set(path_of(ColumnId::sentence_document), 1, 2);  // it has no tokens
    shard.expect_one_problem("is of document");
  }
  OneShard shard;
  shard.set(path_of(ColumnId::document_number), 1, 5);
  shard.expect_one_problem("sentence 3 is of document 1");
}

TEST_CASE("values, counts and attributes must match the manifest") {
  OneShard shard;
  shard.entry.checksums[path_of(ColumnId::tokens)] = std::string(32, '0');
  shard.expect_one_problem("checksum of tokens is");
  OneShard counts;
  counts.entry.tokens += 1;
  counts.expect_one_problem("number of tokens is 23; expected 24");
  OneShard attributes;
  attributes.entry.truncated_tokens += 1;
  attributes.expect_one_problem("number of truncated tokens is 1; expected 2");
  OneShard model;
  model.run.provenance.front().second = "4567";
  model.expect_one_problem("model was 4567 and is 0123; expected the attributes of its run");
}

}  // namespace
}  // namespace elmo

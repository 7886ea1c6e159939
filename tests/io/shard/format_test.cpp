#include "io/shard/format.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace elmo {
namespace {

TEST_CASE("shard names have five digits or more") {
  using namespace shard_format;
  CHECK(shard_file_name(42) == "shard-00042.h5");
  CHECK(shard_file_name(123456) == "shard-123456.h5");
  CHECK(is_shard_file_name("shard-00042.h5"));
  CHECK(tables_file_of("shard-123456.h5") == "tables-123456.h5");
  CHECK(tables_file_of("part-00000-of-00002/shard-00042.h5") ==
        "part-00000-of-00002/tables-00042.h5");
  CHECK(is_tables_file_name("tables-00042.h5"));
  CHECK_FALSE(is_tables_file_name("shard-00042.h5"));
  for (const char* other : {"shard-0042.h5", "shard-0004x.h5", "shard-00042.hdf5", "a-00042.h5"}) {
    CAPTURE(other);
    CHECK_FALSE(is_shard_file_name(other));
  }
}

TEST_CASE("files that a run may leave are recognized by name") {
  using namespace shard_format;
  for (const char* name :
       {"manifest.json", "index.h5", "shard-00000.h5", "tables-00000.h5", ".elmo.lock",
        "shard-00000.h5.unfinished", "manifest.json@host-12.unfinished"}) {
    CAPTURE(name);
    CHECK(is_run_file_name(name));
  }
  CHECK_FALSE(is_run_file_name("notes.txt"));
  CHECK_FALSE(is_run_file_name("notes.txt.unfinished"));
}

TEST_CASE("a shard's datasets have a row per token, and its tables have the others") {
  std::vector<std::string> in_shard;
  for (const ShardColumn& column : kShardColumns) {
    CHECK(column.in_tables() == (column.rows != RowsOf::token));
    if (!column.in_tables() && column.required({})) in_shard.emplace_back(column.path);
  }
  CHECK(in_shard ==
        std::vector<std::string>{"activations", "tokens", "spans", "sentence", "document"});
}

TEST_CASE("the columns of a shard follow from the run's format") {
  const auto required = [](const ShardFormat& format) {
    std::vector<ColumnId> ids;
    for (const ShardColumn& column : kShardColumns) {
      if (column.required(format) && !column.required({})) ids.push_back(column.id);
    }
    return ids;
  };
  ShardFormat format;
  CHECK(required(format).empty());
  format.dtype = Dtype::int8;
  CHECK(required(format) == std::vector{ColumnId::scales});
  format = {};
  format.selected = true;
  CHECK(required(format) ==
        std::vector{ColumnId::position, ColumnId::sentence_text, ColumnId::sentence_number});
  format.pooled = true;
  CHECK(required(format) == std::vector{ColumnId::pooled_tokens, ColumnId::sentence_number});
  format = {};
  format.numbered_documents = true;
  CHECK(required(format) == std::vector{ColumnId::document_numbered});
}

TEST_CASE("shapes and elements of columns are those of the run") {
  const ActivationLayout layout{{"x", "top"}, 3};
  using Shape = std::vector<std::uint64_t>;
  CHECK(column_row_shape(shard_column(ColumnId::activations), layout) == Shape{2, 3});
  CHECK(column_row_shape(shard_column(ColumnId::scales), layout) == Shape{2});
  CHECK(column_row_shape(shard_column(ColumnId::spans), layout) == Shape{2});
  CHECK(column_row_shape(shard_column(ColumnId::tokens), layout).empty());
  for (const auto& [word, dtype] : kDtypes) {
    CHECK(activation_dtype(activation_element(dtype)) == dtype);
    CHECK(column_element(shard_column(ColumnId::activations), dtype) == activation_element(dtype));
  }
  CHECK(column_element(shard_column(ColumnId::spans), Dtype::int8) == h5::Element::uint64);
  CHECK_FALSE(activation_dtype(h5::Element::string).has_value());
}

}  // namespace
}  // namespace elmo

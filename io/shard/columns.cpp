#include "io/shard/columns.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace elmo {

const ShardColumn& shard_column(std::string_view path) {
  const auto* const found = std::ranges::find_if(
      kShardColumns, [path](const ShardColumn& column) { return column.path == path; });
  if (found == kShardColumns.end()) {
    throw std::logic_error("no shard has a dataset " + std::string(path));
  }
  return *found;
}

h5::Element column_element(const ShardColumn& column, Dtype dtype) {
  if (column.form != RowForm::activations) return column.element;
  return dtype == Dtype::float32 ? h5::Element::float32 : h5::Element::float16;
}

std::vector<std::uint64_t> column_row_shape(const ShardColumn& column,
                                            const ActivationLayout& layout) {
  switch (column.form) {
    case RowForm::single:
      return {};
    case RowForm::pair:
      return {2};
    case RowForm::activations:
      return {static_cast<std::uint64_t>(layout.row_count()),
              static_cast<std::uint64_t>(layout.width)};
  }
  return {};
}

}  // namespace elmo

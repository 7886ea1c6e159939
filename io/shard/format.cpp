#include "io/shard/format.h"

#include "io/files/paths.h"

namespace elmo::shard_format {
namespace {

constexpr std::string_view kShardPrefix = "shard-";
constexpr std::string_view kTablesPrefix = "tables-";
constexpr std::string_view kShardSuffix = ".h5";
constexpr std::size_t kShardDigits = 5;  // at least; larger numbers have more digits

bool is_numbered_name(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(kShardSuffix)) return false;
  if (name.size() < prefix.size() + kShardDigits + kShardSuffix.size()) return false;
  name.remove_prefix(prefix.size());
  name.remove_suffix(kShardSuffix.size());
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string shard_file_name(std::size_t number) {
  return std::string(kShardPrefix) + padded(number, kShardDigits) + std::string(kShardSuffix);
}

std::string tables_file_of(std::string_view shard) {
  std::string name(shard);
  return name.replace(name.rfind(kShardPrefix), kShardPrefix.size(), kTablesPrefix);
}

bool is_shard_file_name(std::string_view name) { return is_numbered_name(kShardPrefix, name); }
bool is_tables_file_name(std::string_view name) { return is_numbered_name(kTablesPrefix, name); }

bool is_run_file_name(std::string_view name) {
  const std::optional<std::string> finished = finished_name(name);
  if (finished) name = *finished;
  return name == kManifest || name == kIndex || name == kLock || is_shard_file_name(name) ||
         is_tables_file_name(name);
}

}  // namespace elmo::shard_format

namespace elmo {

h5::Element activation_element(Dtype dtype) {
  return h5::kElements.find(kDtypes.word(dtype)).value();
}

std::optional<Dtype> activation_dtype(h5::Element element) {
  for (const auto& [word, dtype] : kDtypes) {
    if (activation_element(dtype) == element) return dtype;
  }
  return std::nullopt;
}

h5::Element column_element(const ShardColumn& column, Dtype dtype) {
  if (column.form != RowForm::activations) return column.element;
  return activation_element(dtype);
}

std::vector<std::uint64_t> column_row_shape(const ShardColumn& column,
                                            const ActivationLayout& layout) {
  switch (column.form) {
    case RowForm::single:
      return {};
    case RowForm::pair:
      return {2};
    case RowForm::vectors:
      return {static_cast<std::uint64_t>(layout.row_count())};
    case RowForm::activations:
      return {static_cast<std::uint64_t>(layout.row_count()),
              static_cast<std::uint64_t>(layout.width)};
  }
  return {};
}

}  // namespace elmo

#include "io/shard/format/columns.h"

namespace elmo {

bool is_required(const ShardColumn& column, const ShardFormat& format) {
  switch (column.required) {
    case RequiredIn::all:
      return true;
    case RequiredIn::scaled:
      return format.dtype == Dtype::int8;
    case RequiredIn::chosen:
      return format.selected && !format.pooled;
    case RequiredIn::pooled:
      return format.pooled;
    case RequiredIn::listed:
      return format.selected || format.pooled;
    case RequiredIn::numbered:
      return format.numbered_documents;
    case RequiredIn::carried:
      break;
  }
  return false;
}

h5::Element activation_element(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
      return h5::Element::float32;
    case Dtype::float16:
      return h5::Element::float16;
    case Dtype::bfloat16:
      return h5::Element::bfloat16;
    case Dtype::int8:
      break;
  }
  return h5::Element::int8;
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

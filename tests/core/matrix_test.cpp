#include "core/matrix.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace elmo {
namespace {

float at(const ConstFloatView& view, std::int64_t row, std::int64_t column) {
  return view.is_transposed ? view.values[column * view.stride + row]
                            : view.values[row * view.stride + column];
}

TEST_CASE("parts of views, transposed or not, have the values of their rows and columns") {
  constexpr std::int64_t kStride = 7;
  std::vector<float> values(5 * kStride);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const FloatView whole(values.data(), 5, 6, kStride);
  for (const bool transposed : {false, true}) {
    CAPTURE(transposed);
    const FloatView view = transposed ? whole.transposed() : whole;
    CHECK(view.rows == (transposed ? 6 : 5));
    CHECK(view.columns == (transposed ? 5 : 6));
    const FloatView part = view.row_range(1, 3).column_range(2, 2);
    CHECK(part.rows == 3);
    CHECK(part.columns == 2);
    for (std::int64_t row = 0; row < part.rows; ++row) {
      for (std::int64_t column = 0; column < part.columns; ++column) {
        CHECK(at(part, row, column) == at(view, row + 1, column + 2));
        CHECK(at(part.transposed(), column, row) == at(part, row, column));
      }
    }
  }
  CHECK(at(whole, 2, 3) == 2 * kStride + 3);
  CHECK(whole.transposed().transposed().is_transposed == false);
}

TEST_CASE("a matrix is viewed whole and by rows") {
  Matrix matrix(4, 3);
  for (std::size_t i = 0; i < matrix.values.size(); ++i) matrix.values[i] = static_cast<float>(i);
  const ConstFloatView rows = matrix.view(1, 2);
  CHECK(rows.rows == 2);
  CHECK(rows.columns == 3);
  CHECK(rows.stride == 3);
  CHECK(rows.values == matrix.row(1));
  matrix.view().values[0] = 9.0F;
  CHECK(matrix.row(0)[0] == 9.0F);
}

TEST_CASE("a matrix with a new shape is zero, keeps its values, or is unspecified") {
  Matrix matrix(2, 3);
  matrix.values.assign(6, 1.0F);
  matrix.reshape(3, 2);
  CHECK(matrix.row(2)[1] == 1.0F);
  matrix.resize(1, 4);
  CHECK(matrix.values == AlignedVector<float>(4, 0.0F));
  matrix.set_shape(5, 2);
  CHECK(matrix.values.size() == 10);
  AlignedVector<float> buffer(2, 1.0F);
  grow(buffer, 4);
  CHECK(buffer == AlignedVector<float>{1.0F, 1.0F, 0.0F, 0.0F});
  grow(buffer, 1);
  CHECK(buffer.size() == 4);
}

TEST_CASE("sequences divide rows") {
  Sequences sequences;
  CHECK(sequences.count() == 0);
  for (const std::int64_t length : {2, 5, 1}) sequences.add(length);
  CHECK(sequences.count() == 3);
  CHECK(sequences.rows() == 8);
  CHECK(sequences.begin(1) == 2);
  CHECK(sequences.length(1) == 5);
}

}  // namespace
}  // namespace elmo

#include "io/h5/types.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

namespace elmo::h5 {
namespace {

TEST_CASE("a dataset's numbers of rows and elements follow from its shape") {
  DatasetInfo info;
  CHECK(info.count() == 1);  // a scalar
  CHECK(info.rows() == 1);
  info.shape = {4, 3, 5};
  CHECK(info.count() == 60);
  CHECK(info.rows() == 4);
  CHECK(info.row_count() == 15);
  info.shape = {0, 3};
  CHECK(info.count() == 0);
  CHECK(info.row_count() == 3);
}

TEST_CASE("shapes are shown as in Python") {
  CHECK(shape_text({}) == "()");
  CHECK(shape_text({7}) == "(7)");
  CHECK(shape_text({2, 3}) == "(2, 3)");
}

TEST_CASE("elements have a size in files, except strings") {
  CHECK(element_bytes(Element::int8) == 1);
  CHECK(element_bytes(Element::bfloat16) == 2);
  CHECK(element_bytes(Element::uint32) == 4);
  CHECK(element_bytes(Element::float64) == 8);
  CHECK_THROWS_AS(element_bytes(Element::string), std::logic_error);
}

}  // namespace
}  // namespace elmo::h5

#include "io/engine/senses.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

using namespace elmo;

TEST_CASE("answers require a separate file") {
  const TempDir folder;
  write_file(folder / "test", "");
  SensesRequest request;
  request.test = {(folder / "test").string()};
  CHECK_NOTHROW(validate(request));
  request.predict = request.test.front();
  CHECK_THROWS_AS(validate(request), RequestError);
  request.predict = (folder / "answers").string();
  CHECK_NOTHROW(validate(request));
}

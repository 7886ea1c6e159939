#include "io/engine/probe.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

using namespace elmo;

TEST_CASE("a probe has no negative weight decay, and its picture replaces no labeled file") {
  const TempDir folder;
  write_file(folder / "train", "");
  ProbeRequest request;
  request.train = (folder / "train").string();
  CHECK_NOTHROW(validate(request));
  request.picture = request.train;
  CHECK_THROWS_AS(validate(request), RequestError);
  request.picture = (folder / "picture.svg").string();
  CHECK_NOTHROW(validate(request));
  request.options.weight_decays = {0.0F, -0.5F};
  CHECK_THROWS_WITH_AS(validate(request), "weight_decay: found -0.5; expected no less than 0",
                       RequestError);
}

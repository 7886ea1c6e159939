#include "io/engine/task/data.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/io/engine/task/small_task.h"

using namespace elmo;

TEST_CASE("labels only in the development data are known but not learned") {
  const TempDir folder;
  TaskRequest request = small_task(folder);
  write_file(folder / "dev.tsv", kTagged + "loudly\tADV\n");
  const TaskData data = read_task_data(request, std::nullopt, kNeverStop);
  CHECK(data.learned.size() == 3);
  CHECK(data.labels.size() == 4);
  CHECK(std::string(data.metric.name) == "accuracy");
  CHECK(tokens_of(data.train) == 100);
  CHECK(data.words->rows() == 5);  // and the unknown word
  CHECK(!data.test);
  const KnownLabels known = check_labels(data.dev, data.labels, data.learned.size());
  CHECK(known.unknown() == 1);
  CHECK(known.first_unknown() == "ADV");
}

TEST_CASE("data with a single label is refused") {
  const TempDir folder;
  const TaskRequest request = small_task(folder);
  write_file(folder / "train.tsv", "rain\tNOUN\nsea\tNOUN\n");
  CHECK_THROWS_AS(read_task_data(request, std::nullopt, kNeverStop), InputError);
}

TEST_CASE("word vectors are trained unless they are read") {
  const TempDir folder;
  TaskRequest request = small_task(folder);
  CHECK(!task_bilm(request));
  TaskData data = read_task_data(request, std::nullopt, kNeverStop);
  CHECK(data.options.train_words);
  CHECK(data.tokenizer.kind == TokenizerKind::ud);
  write_file(folder / "vectors.txt", "rain 1 2\nsea 3 4\n");
  request.words = (folder / "vectors.txt").string();
  CHECK(!read_task_data(request, std::nullopt, kNeverStop).options.train_words);
  request.train_words = true;
  data = read_task_data(request, std::nullopt, kNeverStop);
  CHECK(data.options.train_words);
  CHECK(data.options.word_columns == 2);
}

// Descriptions of models, shards and runs, as text and JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/labeled/task_folder.h"
#include "io/shard/manifest.h"
#include "io/shard/shard_reader.h"

namespace elmo {

struct Description {
  std::vector<std::pair<std::string, std::string>> lines;  ///< for people: names and values
  std::string json;

  void line(std::string name, std::string value) {
    lines.emplace_back(std::move(name), std::move(value));
  }

  /// Returns the lines as a table.
  std::string text() const;
};

/// Describes this tool and this CPU.
Description describe_tool();

/// Describes the model in the folder or zip archive `path`. Errors: as load_model.
Description describe_model(const std::string& path);

/// Describes the trained task model in the folder `path`.
Description describe_task(const std::string& path, const TaskDescription& task);

Description describe_run(const std::string& path, const Manifest& manifest);
Description describe_shard_file(const std::string& path, const ShardDescription& shard);

}  // namespace elmo

// Reports of `elmo task compare`.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "cli/common/chart.h"
#include "io/engine/task/comparison.h"

namespace elmo {

/// SVG documents: the weights s_j of each setting that learned them from all training data (as
/// figure 2 of the paper), the score by size of the training data (figure 1), and the score by
/// epoch, a mean over seeds.
std::string weights_svg(std::span<const ComparedGroup> groups, const PictureSize& size = {});
std::string sizes_svg(std::span<const ComparedGroup> groups, const TaskMetric& metric,
                      const PictureSize& size = {});
std::string epochs_svg(std::span<const ComparedGroup> groups, const TaskMetric& metric,
                       const PictureSize& size = {});

/// Writes the tables and the pictures into the folder of the comparison and returns what to print,
/// the table or JSON. SystemError if a file cannot be written.
std::string publish_comparison(const std::filesystem::path& folder, const ComparisonResult& result,
                               bool json, const PictureSize& size);

}  // namespace elmo

#include "io/train/metrics_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <sstream>

#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/json/json.h"
#include "io/json/json_document.h"

namespace elmo {
namespace {

std::string line_of(const TrainingRecord& record) {
  return R"({"step": )" + json_number(record.step) + R"(, "tokens": )" +
         json_number(record.tokens) + R"(, "loss_forward": )" + json_number(record.loss_forward) +
         R"(, "loss_backward": )" + json_number(record.loss_backward) + R"(, "learning_rate": )" +
         json_number(record.learning_rate) + R"(, "gradient_norm": )" +
         json_number(record.gradient_norm) + R"(, "seconds": )" + json_number(record.seconds) +
         "}\n";
}

std::string line_of(const ValidationRecord& record) {
  return R"({"step": )" + json_number(record.step) + R"(, "valid_tokens": )" +
         json_number(record.tokens) + R"(, "valid_forward": )" + json_number(record.forward) +
         R"(, "valid_backward": )" + json_number(record.backward) + R"(, "valid_perplexity": )" +
         json_number(record.average) + R"(, "seconds": )" + json_number(record.seconds) + "}\n";
}

double number_or_nan(const JsonNode& node) {
  return node.is_null() ? std::numeric_limits<double>::quiet_NaN() : node.number();
}

void add_line(const JsonDocument& record, MetricsRecords& records) {
  const std::uint64_t step = record["step"].count();
  const double seconds = number_or_nan(record["seconds"]);
  if (record["valid_tokens"].is_there()) {
    records.validation.push_back({step, record["valid_tokens"].count(),
                                  number_or_nan(record["valid_forward"]),
                                  number_or_nan(record["valid_backward"]),
                                  number_or_nan(record["valid_perplexity"]), seconds});
  } else {
    records.training.push_back({step, record["tokens"].count(),
                                number_or_nan(record["loss_forward"]),
                                number_or_nan(record["loss_backward"]),
                                static_cast<float>(number_or_nan(record["learning_rate"])),
                                number_or_nan(record["gradient_norm"]), seconds});
  }
}

/// Calls visit(line, record) for every record of the log `text`. `path` is for errors.
template <typename Visit>
void for_each_record(const std::string& text, const std::filesystem::path& path, Visit visit) {
  std::istringstream file(text);
  std::string line;
  // A last line without a line end was being written when the run was killed.
  for (std::uint64_t number = 1; std::getline(file, line) && !file.eof(); ++number) {
    visit(line, JsonDocument(line, path.string() + ", line " + std::to_string(number),
                             "a record of training progress"));
  }
}

}  // namespace

MetricsRecords read_progress(const std::filesystem::path& path) {
  const std::optional<std::string> text = read_file_if_there(path);
  if (!text) throw InputError("there is no file " + path.string());
  MetricsRecords records;
  for_each_record(*text, path, [&records](const std::string&, const JsonDocument& record) {
    add_line(record, records);
  });
  return records;
}

std::optional<ValidationRecord> MetricsLog::begin(std::uint64_t last_step) {
  std::string kept;
  if (const std::optional<std::string> text = read_file_if_there(path_)) {
    for_each_record(*text, path_, [&](const std::string& line, const JsonDocument& record) {
      if (record["step"].count() > last_step) return;
      add_line(record, records_);
      kept += line + '\n';
    });
  }
  replace_file(path_, kept);
  descriptor_ = open_descriptor(path_, O_WRONLY | O_APPEND);
  if (records_.validation.empty()) return std::nullopt;
  return records_.validation.back();
}

void MetricsLog::add(const TrainingRecord& record) {
  append(line_of(record));
  records_.training.push_back(record);
}

void MetricsLog::add(const ValidationRecord& record) {
  append(line_of(record));
  records_.validation.push_back(record);
}

void MetricsLog::append(const std::string& line) {
  if (!write_all(descriptor_.get(), line)) refuse("write", path_, errno);
}

void MetricsLog::sync() { sync_descriptor(descriptor_.get(), path_); }

}  // namespace elmo

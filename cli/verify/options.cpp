// `elmo verify`: checks that a run's folder contains the published files.
#include "cli/common/options.h"

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "core/text.h"
#include "io/engine/run_settings.h"
#include "io/files/paths.h"
#include "io/shard/verify.h"

namespace elmo {
namespace {

struct VerifyRequest {
  std::string folder;
  bool quiet = false;
};

constexpr auto kStates = enum_table<FileState>(
    {{"ok", FileState::sound}, {"DAMAGED", FileState::damaged}, {"NOT READ", FileState::not_read}});

/// "shard-00000.h5: ok, 12 sentences, 345 tokens, 6.7 MiB"
std::string describe(const ListedFile& file, const std::string& contents,
                     const VerifyReport& report) {
  return file.file + ": " + std::string(kStates.word(report.state_of(file))) + ", " + contents +
         human_bytes(file.bytes) + '\n';
}

ExitCode verify_and_report(const VerifyRequest& request) {
  raise_open_file_limit();
  const VerifyReport report = verify_run(request.folder);
  const Manifest& manifest = report.manifest;
  std::string text;
  if (!request.quiet) {
    for (const ShardEntry& shard : manifest.shards) {
      const std::string contents = human_count(shard.sentences, "sentence") + ", " +
                                   human_count(shard.tokens, "token") + ", ";
      text += describe(shard, contents, report);
      text += describe(shard.tables, "", report);
    }
    if (manifest.index) text += describe(*manifest.index, "", report);
  }
  print_with_problems(text, report.problems);
  for (const std::string& unread : report.unread) print_message(unread);
  if (!manifest.complete()) {
    print_message(request.folder + ": not complete: " + text_of(continued_by(manifest)));
  }
  if (!report.problems.empty()) return kBadInput;
  if (!report.unread.empty()) return kFailure;
  return manifest.complete() ? kDone : kStopped;
}

}  // namespace

void add_verify(const Options& app, Command& chosen) {
  const auto request = std::make_shared<VerifyRequest>();
  Options command = app.add_subcommand(
      "verify", "Check every shard of a run: checksums, counts, offsets, finite values");
  command.add_argument("DIR", request->folder, "Run written by embed, mix or merge").required();
  command.add_flag("--quiet", request->quiet, "Print only problems");
  command.footer(
      "Exit codes: 0 complete and without a problem, 1 some files could not be read, no problem in "
      "the others, 3 problems, 4 not complete, no problem so far; standard error names them.");
  run_if_chosen(command, request, verify_and_report, chosen);
}

}  // namespace elmo

// Simulates system calls that fail as on some network file systems.
#pragma once

namespace elmo {

/// The errno of each system call in its scope, in this process; 0: the real call.
struct SystemCallErrors {
  int flock = 0;
  int fsync_of_folder = 0;
  int rename_afterwards = 0;  ///< errno after the file was renamed
  int last_rename = 0;        ///< number of renames before the process is killed; 0: unlimited
};

/// Simulates these results during its lifetime. One at a time.
class AnsweredCalls {
 public:
  explicit AnsweredCalls(const SystemCallErrors& errors);
  ~AnsweredCalls();
  AnsweredCalls(const AnsweredCalls&) = delete;
  AnsweredCalls& operator=(const AnsweredCalls&) = delete;
};

}  // namespace elmo

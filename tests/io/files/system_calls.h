// System calls of this program answered as some network file systems do.
#pragma once

namespace elmo {

/// What the calls of that name return as errno in its scope, in this process; 0: the system's own
/// answer.
struct SystemCallErrors {
  int flock = 0;
  int fsync_of_folder = 0;
  int rename_afterwards = 0;  ///< after it has been done
  int last_rename = 0;        ///< no errno: the process is killed after so many renames, if any
};

/// Answers so for as long as it lives. One at a time.
class AnsweredCalls {
 public:
  explicit AnsweredCalls(const SystemCallErrors& errors);
  ~AnsweredCalls();
  AnsweredCalls(const AnsweredCalls&) = delete;
  AnsweredCalls& operator=(const AnsweredCalls&) = delete;
};

}  // namespace elmo

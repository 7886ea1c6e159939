// A file that a sink of streams writes.
#pragma once

#include <fcntl.h>

#include <string>

#include "io/files/atomic_file.h"
#include "io/files/descriptor.h"
#include "io/outputs/arrays.h"
#include "io/outputs/output_format.h"

namespace elmo {

/// A stream into a file that is published when it is complete. Errors: as begin_file and the sink.
template <typename Sink>
class PublishedStream final : public OutputSink {
 public:
  /// `more` are arguments of the sink, after its stream and rows.
  template <typename... More>
  PublishedStream(const OutputTarget& target, const OutputRows& rows, const More&... more)
      : file_(begin_file(target.path, target.overwrite)),
        descriptor_(open_descriptor(file_.temporary_path(), O_WRONLY)),
        stream_(descriptor_.get(), target.path),
        sink_(stream_, rows, more...) {}

  std::string warning() const override { return file_.warning(); }
  void write(const ActivationBatch& batch) override { sink_.write(batch); }
  void finish() override {
    sink_.finish();
    file_.publish();
  }

 private:
  AtomicFile file_;
  Descriptor descriptor_;
  Stream stream_;
  Sink sink_;
};

}  // namespace elmo

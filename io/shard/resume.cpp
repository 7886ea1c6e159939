#include "io/shard/resume.h"

#include <string>

#include "core/error.h"

namespace elmo {

bool skip_sentences(SentenceSource& source, const ResumePoint& point,
                    const std::atomic<bool>* stop) {
  InputHash input = point.position ? InputHash(point.position->input_hash) : InputHash();
  Sentence sentence;
  for (std::uint64_t number = point.position ? point.position->sentence : 0;
       number < point.next_sentence; ++number) {
    if (stop != nullptr && *stop) return false;
    if (!source.next(sentence)) {
      throw InputError("the input has " + std::to_string(number) + " sentences, but " +
                       std::to_string(point.next_sentence) +
                       " are published already; give the same input to resume the run");
    }
    input.add(sentence, number, false);
  }
  if (!(input == point.input)) {
    throw InputError("the first " + std::to_string(point.next_sentence) +
                     " sentences of the input are not those that are published already; give the "
                     "same input to resume the run");
  }
  if (point.complete && source.next(sentence)) {
    throw InputError("the input continues after the " + std::to_string(point.next_sentence) +
                     " sentences of the run, which is complete; give the same input, or embed this "
                     "one in a run of its own");
  }
  return true;
}

}  // namespace elmo

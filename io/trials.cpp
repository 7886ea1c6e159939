#include "io/trials.h"

#include "io/model/published/weights.h"
#include "io/model/softmax.h"
#include "io/shard/check/trial.h"
#include "io/shard/describe.h"
#include "io/train/checkpoint.h"

namespace elmo {

h5::TrialReadings trial_readings() {
  h5::TrialReadings readings;
  add_weights_reading(readings);
  add_softmax_reading(readings);
  add_checkpoint_reading(readings);
  add_shard_readings(readings);
  add_description_reading(readings);
  return readings;
}

}  // namespace elmo

// The kernels' tests without the readers of files that the other test programs start themselves
// for.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

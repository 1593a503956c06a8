#include "sequential/plan.h"
typedef int hy_plan_nothing;

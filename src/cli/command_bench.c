/* placeholder */
#include "cli/cli.h"

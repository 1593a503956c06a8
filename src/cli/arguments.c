/* Numbers among the arguments. */
#include <inttypes.h>

#include "base/words.h"
#include "cli/cli.h"

uint64_t hy_cli_number(const struct argp_state *state, const char *option, const char *text,
                       uint64_t low, uint64_t high)
{
    uint64_t value = 0;
    if (!hy_parse_u64(text, &value) || value < low || value > high)
        argp_error(state, "%s takes an integer from %" PRIu64 " to %" PRIu64 ", not '%s'", option,
                   low, high, text);
    return value;
}

double hy_cli_real(const struct argp_state *state, const char *option, const char *text, double low,
                   double high)
{
    double value = 0;
    if (!hy_parse_real(text, &value) || !(value > low) || !(value < high))
        argp_error(state, "%s takes a number between %g and %g, not '%s'", option, low, high, text);
    return value;
}

#include "report/state_space.h"

#include <gmp.h>
#include <math.h>

hy_state_space hy_state_space_of(const hy_rules *rules)
{
    hy_state_space space;
    unsigned holes = 2u * rules->holes, total = hy_rules_total(rules);
    signed long exponent;
    mpz_t sum, ways;
    mpz_inits(sum, ways, NULL);
    for (unsigned n = total; n >= rules->casa && n > rules->claim; n -= rules->casa) {
        mpz_bin_uiui(ways, n + holes - 1, holes - 1);
        mpz_add(sum, sum, ways);
    }
    gmp_snprintf(space.digits, sizeof space.digits, "%Zd", sum);
    double mantissa = mpz_get_d_2exp(&exponent, sum);
    space.log10 = log10(mantissa) + (double)exponent * log10(2);
    mpz_clears(sum, ways, NULL);
    return space;
}

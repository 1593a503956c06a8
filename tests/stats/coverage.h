/* How often intervals hold what they should, in drawn games. */
#ifndef HY_TESTS_STATS_COVERAGE_H
#define HY_TESTS_STATS_COVERAGE_H

/* Each of these draws `rounds` experiments and fails where the intervals of 90 % hold the truth in
 * a share of them that is further from 90 % than chance (3.9 standard deviations) and the
 * approximation (1.5 %) allow. */
void check_coverage_of_survival(unsigned rounds);
void check_coverage_of_incidence(unsigned rounds);
void check_coverage_of_cox(unsigned rounds);
void check_coverage_of_regression(unsigned rounds);

#endif

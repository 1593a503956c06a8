/* An integer wide enough for any sum of products over games: 10^12 games of 10^5 plies have a sum
 * of squares of 10^22. */
#ifndef HY_BASE_WIDE_H
#define HY_BASE_WIDE_H

__extension__ typedef unsigned __int128 hy_wide;

#endif

/* Comparing what is kept of games. */
#ifndef HY_SUPPORT_RECORDS_H
#define HY_SUPPORT_RECORDS_H

#include "rules/game_record.h"

/* The name of the first field in which they differ, or NULL; their numbers are not compared. */
const char *record_difference(const hy_game_record *a, const hy_game_record *b);

#endif

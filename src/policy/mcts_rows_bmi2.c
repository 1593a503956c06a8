#include "policy/mcts_rows_laps.h"

unsigned hy_rows_sow_usual_bmi2(const hy_mcts_rows *tables, hy_rows_game *game,
                                hy_rows_words *words)
{
    return hy_rows_sow_laps(tables, game, words, true);
}

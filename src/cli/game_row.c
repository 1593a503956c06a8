#include "cli/game_row.h"

#include "report/report.h"

void hy_add_game_to_row(json_t *row, const hy_game_record *record)
{
    bool over = record->termination != HY_GOES_ON;
    json_object_set_new(
        row, "score",
        json_pack("[i, i]", (int)record->score[HY_SOUTH], (int)record->score[HY_NORTH]));
    json_object_set_new(row, "plies", json_integer(record->plies));
    json_object_set_new(row, "turns", json_integer(record->turns));
    json_object_set_new(row, "passes", json_integer(record->passes));
    json_object_set_new(row, "termination",
                        over ? json_string(hy_termination_words[record->termination])
                             : json_null());
    json_object_set_new(row, "result",
                        over ? json_string(hy_result_words[record->result]) : json_null());
}

json_t *hy_game_row(const hy_rules *rules, uint32_t max_plies, uint64_t max_laps,
                    const hy_hole_list *holes, const hy_game_record *record)
{
    json_t *array = json_array();
    for (size_t i = 0; i < holes->num; i++)
        json_array_append_new(array, json_integer(holes->holes[i]));
    json_t *row =
        json_pack("{s:o, s:I, s:I, s:o}", "rules", hy_rules_json(rules), "max_plies",
                  (json_int_t)max_plies, "max_laps", (json_int_t)max_laps, "holes", array);
    if (row)
        hy_add_game_to_row(row, record);
    return row;
}

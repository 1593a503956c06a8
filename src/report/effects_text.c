/* Effects as text. */
#include <inttypes.h>
#include <math.h>

#include "report/effects.h"
#include "report/numbers.h"

static const char *level_text(const hy_factor *factor, unsigned level, char *buffer)
{
    return hy_field_text(factor->field, factor->levels[level], buffer);
}

/* "chain_capture true → false", "… × extra_turn true → false". */
static void effect_name(const hy_effects *effects, const hy_effect *effect, char *name, size_t size)
{
    const hy_factor *factor = &effects->factors[effect->factor];
    char from[HY_FIELD_TEXT_SIZE], to[HY_FIELD_TEXT_SIZE];
    int used = snprintf(name, size, "%s %s → %s", factor->field->key, level_text(factor, 0, from),
                        level_text(factor, effect->level, to));
    if (effect->other == HY_NO_FACTOR || (size_t)used >= size)
        return;
    factor = &effects->factors[effect->other];
    snprintf(name + used, size - (size_t)used, " × %s %s → %s", factor->field->key,
             level_text(factor, 0, from), level_text(factor, effect->other_level, to));
}

static void print_effects(const hy_effects *effects, const hy_effect_table *table, bool main,
                          FILE *out)
{
    for (size_t i = 0; i < table->num_effects; i++) {
        const hy_effect *effect = &table->effects[i];
        char name[256], number[HY_NUMBER_SIZE], p[HY_NUMBER_SIZE];
        if (main != (effect->other == HY_NO_FACTOR))
            continue;
        effect_name(effects, effect, name, sizeof name);
        fprintf(out, "  %-*s %-30s", main ? 36 : 68, name,
                hy_interval_text(&effect->estimate, number));
        fprintf(out, " %s, adjusted", hy_p_text(effect->p, p));
        fprintf(out, " %s\n", hy_p_text(effect->adjusted, p));
    }
}

static void print_shares(const hy_effects *effects, const hy_effect_table *table, FILE *out)
{
    if (table->num_shares == 0)
        return;
    fprintf(out, "share of the variation between variants:");
    for (size_t i = 0; i < table->num_shares; i++) {
        const hy_effect_share *share = &table->shares[i];
        if (share->share < 0.0005)
            continue;
        fprintf(out, " %s%s%s %.1f %%,", effects->factors[share->factor].field->key,
                share->other == HY_NO_FACTOR ? "" : "×",
                share->other == HY_NO_FACTOR ? "" : effects->factors[share->other].field->key,
                100 * share->share);
    }
    fprintf(out, " the rest (three rules and more, chance) %.1f %%\n", 100 * table->rest);
}

/* Policies and what else is alike in a table. */
static void print_table_head(const hy_effect_table *table, FILE *out)
{
    const hy_group *group = table->cells[0];
    fputc('\n', out);
    for (size_t axis = hy_num_fields; axis < hy_num_axes(); axis++) {
        char level[HY_LEVEL_SIZE];
        hy_group_level(group, axis, level);
        fprintf(out, "%s%s=%s", axis > hy_num_fields ? " " : "", hy_axis_word(axis), level);
    }
    fputc('\n', out);
}

static void print_ends(const hy_effects *effects, const hy_effect_table *table, FILE *out)
{
    uint64_t games = 0, fewest = effects->games;
    size_t repeating = 0;
    for (size_t i = 0; i < table->num_cells; i++) {
        uint64_t own = table->cells[i]->summary.games;
        games += own;
        fewest = own < fewest ? own : fewest;
        repeating += hy_group_repeats(table->cells[i]);
    }
    fprintf(out, "  %zu variants of %" PRIu64, table->num_cells, fewest);
    if (fewest < effects->games)
        fprintf(out, " … %" PRIu64, effects->games);
    fprintf(out, " games");
    for (int t = HY_GOES_ON + 1; t < HY_NUM_TERMINATIONS; t++) {
        uint64_t num = 0;
        for (size_t i = 0; i < table->num_cells; i++)
            num += table->cells[i]->summary.terminations[t];
        if (num > 0 && (t == HY_ENDLESS || t >= HY_UNRESOLVED || t == HY_REPETITION))
            fprintf(out, "; %s %.3g %%", hy_termination_words[t],
                    100 * (double)num / (double)games);
    }
    if (repeating > 0)
        fprintf(out,
                "; WARNING: in %zu of them most games repeat one another, so intervals and p are "
                "too small",
                repeating);
    fputc('\n', out);
}

void hy_effects_print(const hy_effects *effects, FILE *out)
{
    const hy_effects_options *options = &effects->options;
    const hy_metric *metric = options->metric;
    bool hazard = metric->kind == HY_METRIC_HAZARD;
    fprintf(out, "effects of rules on %s: %s\n", metric->word, metric->meaning);
    fprintf(out, "unit: %s over %s; %s; %g %% intervals; p adjusted by %s\n", metric->unit,
            metric->denominator,
            hazard ? "ratios (cox regression)"
            : options->scale == HY_SCALE_DIFFERENCE
                ? "differences"
                : (options->scale == HY_SCALE_RATIO ? "ratios" : "odds ratios"),
            100 * options->confidence, hy_adjustment_words[options->adjustment]);
    if (metric->kind == HY_METRIC_RESTRICTED)
        fprintf(out, "horizon: %g plies\n", effects->horizon);
    for (size_t i = 0; i < effects->num_tables; i++) {
        const hy_effect_table *table = &effects->tables[i];
        char number[HY_NUMBER_SIZE];
        print_table_head(table, out);
        print_ends(effects, table, out);
        if (table->mean.known)
            fprintf(out, "  %-36s %s\n", "mean over the variants",
                    hy_interval_text(&table->mean, number));
        fprintf(out, "what a rule changes, averaged over the others%s:\n",
                table->paired ? " (games of the same number are replicates)"
                              : " (variants are taken to be independent)");
        print_effects(effects, table, true, out);
        if (effects->num_factors > 1)
            fprintf(out, "how one effect depends on another rule%s:\n",
                    options->scale == HY_SCALE_DIFFERENCE && !hazard
                        ? " (difference of differences)"
                        : " (ratio of ratios)");
        print_effects(effects, table, false, out);
        print_shares(effects, table, out);
        if (hazard && table->proportional_p < 0.05)
            fprintf(out, "hazards are not in proportion (%s): ratios are means over the game\n",
                    hy_p_text(table->proportional_p, number));
    }
}

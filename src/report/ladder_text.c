/* The ladder as text. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/ladder.h"
#include "report/report.h"

#define CELL_SIZE 64

static const char *rating_text(const hy_rating *rating, char buffer[CELL_SIZE])
{
    const hy_estimate *elo = &rating->elo;
    switch (rating->kind) {
    case HY_RATING_KNOWN:
        if (isfinite(elo->low))
            snprintf(buffer, CELL_SIZE, "%6.0f [%.0f, %.0f]", elo->value, elo->low, elo->high);
        else
            snprintf(buffer, CELL_SIZE, "%6.0f", elo->value);
        return buffer;
    case HY_RATING_ABOVE:
        snprintf(buffer, CELL_SIZE, "> %4.0f", elo->low);
        return buffer;
    case HY_RATING_BELOW:
        snprintf(buffer, CELL_SIZE, "< %4.0f", elo->high);
        return buffer;
    case HY_RATING_UNKNOWN:
        break;
    }
    return "unknown";
}

/* How wide the names are. */
static int name_width(const hy_ladder_table *table)
{
    size_t width = 6;
    for (size_t i = 0; i < table->num_policies; i++) {
        size_t length = strlen(table->policies[i].name);
        width = length > width ? length : width;
    }
    return width < 60 ? (int)width : 60;
}

static void print_ratings(const hy_ladder_table *table, int width, FILE *out)
{
    fprintf(out, "  %-*s  %-24s %9s %7s %7s\n", width, "policy", "rating, Elo", "games", "score",
            "drawn");
    for (size_t i = 0; i < table->num_policies; i++) {
        const hy_ladder_policy *policy = &table->policies[table->order[i]];
        uint64_t games = policy->won + policy->drawn + policy->lost;
        char rating[CELL_SIZE];
        fprintf(out, "  %-*s  %-24s %9" PRIu64, width, policy->name,
                rating_text(&policy->rating, rating), games);
        if (games > 0)
            fprintf(out, " %7.4f %5.1f %%",
                    ((double)policy->won + 0.5 * (double)policy->drawn) / (double)games,
                    100 * (double)policy->drawn / (double)games);
        fputc('\n', out);
    }
}

/* What the kinds of ratings in the table mean. */
static void print_notes(const hy_ladder_table *table, FILE *out)
{
    bool bounded = false, unknown = false;
    for (size_t i = 0; i < table->num_policies; i++) {
        hy_rating_kind kind = table->policies[i].rating.kind;
        bounded |= kind == HY_RATING_ABOVE || kind == HY_RATING_BELOW;
        unknown |= kind == HY_RATING_UNKNOWN;
    }
    if (bounded)
        fprintf(out,
                "  note: '>' and '<' are bounds (95 %%): these policies won or lost every game "
                "against those between them and the anchor, so no rating is high or low "
                "enough; another --anchor among them gives their distances\n");
    if (unknown)
        fprintf(out, "  note: 'unknown' policies have no games that lead to the anchor\n");
    if (table->fit.held)
        fprintf(out, "  warning: no ratings are the most likely ones (one seat won everything, or "
                     "all games were drawn); a prior of standard deviation 1000 Elo holds them\n");
    if (table->repeated)
        fprintf(out,
                "  warning: in some pairing most games repeat one another (see the distinct ones), "
                "so the intervals are too narrow: vary the play (random_plies, epsilon, ties)\n");
}

static void print_first_player(const hy_ladder_table *table, int width, FILE *out)
{
    const hy_rating_table *fit = &table->fit;
    switch (fit->advantage_kind) {
    case HY_ADVANTAGE_KNOWN:
        fprintf(out, "  first player: %+.1f Elo [%.1f, %.1f], the same for all policies\n",
                fit->advantage.value, fit->advantage.low, fit->advantage.high);
        break;
    case HY_ADVANTAGE_CONFOUNDED:
        fprintf(out, "  first player: unknown: seats were not swapped, so that seat and strength "
                     "cannot be told apart\n");
        break;
    case HY_ADVANTAGE_NO_GAMES:
        fprintf(out, "  first player: unknown: no games tell\n");
        break;
    }
    for (size_t i = 0; i < table->num_policies; i++) {
        const hy_ladder_policy *policy = &table->policies[table->order[i]];
        const hy_estimate *score = &policy->self_first_player;
        if (policy->self_games > 0 && score->known)
            fprintf(out,
                    "    %-*s  against itself: score %.4f [%.4f, %.4f], %" PRIu64 " games, %" PRIu64
                    " of them distinct\n",
                    width, policy->name, score->value, score->low, score->high, policy->self_games,
                    policy->self_distinct);
    }
}

static void print_scale(const hy_ladder_table *table, FILE *out)
{
    const hy_rating_table *fit = &table->fit;
    if (fit->degrees == 0) {
        fprintf(out, "  scale: not tested (no cycle of pairings with enough points on both "
                     "sides)\n");
        return;
    }
    fprintf(out,
            "  scale: chi-square %.2f, %u degrees of freedom, p = %.3g; %zu pairings too "
            "one-sided to be tested\n",
            fit->chi_square, fit->degrees, fit->p, fit->num_one_sided);
    if (table->misfit)
        fprintf(out, "  warning: one number for each policy does not explain who beats whom; see "
                     "the pairings far from what is expected (z)\n");
}

static void print_classes(const hy_ladder_table *table, FILE *out)
{
    fprintf(out,
            "  classes of skill: %zu (each beats the next by a score of %.2f or more; %zu if "
            "the interval has to lie above): ",
            table->num_classes, HY_CLASS_SCORE, table->num_sure_classes);
    for (size_t i = 0; i < table->num_classes; i++)
        fprintf(out, "%s%s", i > 0 ? " > " : "", table->policies[table->chain[i]].name);
    fputc('\n', out);
}

static void print_number(double value, int digits, FILE *out)
{
    if (isfinite(value))
        fprintf(out, " %8.*f", digits, value);
    else
        fprintf(out, " %8s", "-");
}

static void print_pairing(const hy_ladder_table *table, const hy_ladder_pairing *pairing, int width,
                          FILE *out)
{
    char interval[CELL_SIZE];
    fprintf(out, "  %-*s  %-*s %7" PRIu64 " %-5s", width, table->policies[pairing->first].name,
            width, table->policies[pairing->second].name, pairing->units,
            pairing->paired ? "pairs" : "games");
    if (!pairing->score.known) {
        fprintf(out, "  no game with a result\n");
        return;
    }
    snprintf(interval, sizeof interval, "[%.4f, %.4f]", pairing->score.low, pairing->score.high);
    fprintf(out, " %7.4f %-17s", pairing->score.value, interval);
    print_number(pairing->elo, 0, out);
    print_number(pairing->expected, 4, out);
    print_number(pairing->residual, 2, out);
    print_number(pairing->first_player.value, 4, out);
    fprintf(out, " %8" PRIu64 "\n", pairing->distinct);
}

static void print_pairings(const hy_ladder_table *table, int width, FILE *out)
{
    fprintf(out, "\n  %-*s  %-*s %13s %7s %-17s %8s %8s %8s %8s %8s\n", width, "first", width,
            "second", "", "score", "of the first", "Elo", "expected", "z", "south", "distinct");
    for (size_t i = 0; i < table->num_pairings; i++) {
        if (table->pairings[i].first != table->pairings[i].second)
            print_pairing(table, &table->pairings[i], width, out);
    }
}

static void print_table(const hy_ladder_table *table, FILE *out)
{
    char label[HY_LABEL_SIZE];
    int width = name_width(table);
    hy_variant_label(&table->condition->rules, label);
    fprintf(out, "\n%s", label);
    if (table->condition->opening_plies > 0)
        fprintf(out, "; opening: %" PRIu32 " random plies", table->condition->opening_plies);
    fprintf(out, "\n  %" PRIu64 " games with a result", table->games);
    if (table->no_result > 0)
        fprintf(out, "; %" PRIu64 " without one are left out", table->no_result);
    fputc('\n', out);
    if (table->games == 0)
        return;
    fprintf(out, "  '%s' is 0\n\n", table->policies[table->anchor].name);
    print_ratings(table, width, out);
    fputc('\n', out);
    print_notes(table, out);
    print_first_player(table, width, out);
    print_scale(table, out);
    print_classes(table, out);
    print_pairings(table, width, out);
}

void hy_ladder_print(const hy_ladder *ladder, FILE *out)
{
    const hy_experiment *experiment = ladder->experiment;
    fprintf(out, "%s", experiment->name);
    if (experiment->question[0] != '\0')
        fprintf(out, ": %s", experiment->question);
    fprintf(out,
            "\nseed %" PRIu64 "; intervals at 95 %%; logistic Elo, draws by Davidson's model\n",
            experiment->seed);
    for (size_t i = 0; i < ladder->num_tables; i++)
        print_table(&ladder->tables[i], out);
}

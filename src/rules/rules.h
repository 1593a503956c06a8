/* What a variant is: the fields of the family of Hoyito games, their words and ranges.
 *
 * The game (Hoyito II, Dominican Republic): two rows of holes, no stores. A player picks up a hole
 * of the own row and sows counter-clockwise over both rows; a final counter in an occupied hole
 * picks everything up there and sows on (relay); one that makes a casa (a hole of exactly four)
 * captures it with the unbroken run of casas behind it and moves again; one in an empty hole ends
 * the turn. Sources: V. Bautista i Roca, field work 2004-2005 (Mancala World and Wikimanqala,
 * "Hoyito I", "Hoyito II"); R. C. Bell 1969 (Ba-awa); Valdez, 50 Ways to Play Mancala, 2023.
 *
 * Every place where sources differ or are silent is a field. The table of fields is stated once, in
 * rules.c; the loader, the JSON Schema, `hoyito rules` and the database read it. */
#ifndef HY_RULES_RULES_H
#define HY_RULES_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define HY_MAX_HOLES 32u                /* per row */
#define HY_MAX_BOARD (2 * HY_MAX_HOLES) /* in both rows */
#define HY_MAX_SEEDS 32u                /* counters a hole at the start */

/* The identifier of the rules' meaning in a database; another one means other games. */
#define HY_RULES_VERSION "hoyito-rules/1"

/* Enumerators stand in the order of the words of their field. */
typedef enum hy_en_passant {
    HY_EN_PASSANT_NONE,
    HY_EN_PASSANT_SOWER,
    HY_EN_PASSANT_OWNER,
} hy_en_passant;

typedef enum hy_side {
    HY_SIDE_ANY,
    HY_SIDE_OPPONENT,
    HY_SIDE_OWN,
} hy_side;

typedef enum hy_claimant {
    HY_CLAIM_CAPTURER,
    HY_CLAIM_STARTER,
} hy_claimant;

typedef enum hy_no_move {
    HY_NO_MOVE_PASS,
    HY_NO_MOVE_SWEEP,
} hy_no_move;

typedef enum hy_endless {
    HY_ENDLESS_ANNUL,
    HY_ENDLESS_FORBID,
} hy_endless;

typedef enum hy_unfinished {
    HY_UNFINISHED_SCORE,
    HY_UNFINISHED_VOID,
} hy_unfinished;

/* A variant. Every field holds one byte, so that the table of fields can reach it by its offset:
 * numbers as they are, booleans as 0 and 1, words as the enumerators above. */
typedef struct hy_rules {
    uint8_t holes;
    uint8_t seeds;
    uint8_t relay;
    uint8_t skip_origin;
    uint8_t casa;
    uint8_t final_capture;
    uint8_t chain_capture;
    uint8_t en_passant;   /* hy_en_passant */
    uint8_t capture_side; /* hy_side */
    uint8_t extra_turn;
    uint8_t claim;
    uint8_t claim_by; /* hy_claimant */
    uint8_t no_move;  /* hy_no_move */
    uint8_t endless;  /* hy_endless */
    uint8_t repetition;
    uint8_t unfinished; /* hy_unfinished */
} hy_rules;

typedef enum hy_field_kind {
    HY_FIELD_INTEGER,
    HY_FIELD_BOOLEAN,
    HY_FIELD_WORD,
} hy_field_kind;

#define HY_MAX_WORDS 3

/* One question about the game. */
typedef struct hy_field {
    const char *key;
    hy_field_kind kind;
    size_t offset;                   /* in hy_rules */
    unsigned min, max;               /* of an integer */
    bool or_zero;                    /* an integer: 0 is allowed as well */
    const char *words[HY_MAX_WORDS]; /* of a word; unused ones are NULL */
    uint8_t preset;                  /* the default */
    const char *meaning;
} hy_field;

extern const hy_field hy_fields[];
extern const size_t hy_num_fields;

/* Hoyito II on 2×6 with four counters a hole: the default of every field. */
hy_rules hy_rules_default(void);

/* The field of that key, or NULL. */
const hy_field *hy_field_find(const char *key);

/* Room for any field's words, range or value as text. */
#define HY_FIELD_TEXT_SIZE 64

/* Sets one field from its text ("12", "true", "owner"). Errors name the key and what is allowed. */
HY_MUST_CHECK hy_status hy_field_set(const hy_field *field, const char *text, hy_rules *rules,
                                     hy_error *error);

unsigned hy_field_get(const hy_field *field, const hy_rules *rules);

/* The value as the text that hy_field_set reads; points to a constant or into `buffer`. */
const char *hy_field_text(const hy_field *field, unsigned value, char buffer[HY_FIELD_TEXT_SIZE]);

/* What the field takes, for people: "1 … 32", "true, false", "none, sower, owner". */
const char *hy_field_allowed(const hy_field *field, char buffer[HY_FIELD_TEXT_SIZE]);

/* Refuses fields that cannot go together, by name. Every other function of this library takes rules
 * that have passed. `key`, unless NULL, receives the field to point at. */
HY_MUST_CHECK hy_status hy_rules_check(const hy_rules *rules, const char **key, hy_error *error);

/* Counters in the game. */
static inline unsigned hy_rules_total(const hy_rules *rules)
{
    return 2u * rules->holes * rules->seeds;
}

/* Room for the canonical text of any rules. */
#define HY_RULES_TEXT_SIZE 384

/* Writes the canonical text: every field as key=value, in the order of the table, spaces between.
 */
void hy_rules_print(const hy_rules *rules, char buffer[HY_RULES_TEXT_SIZE]);

/* Reads key=value pairs with spaces between, in any order, each once; a field not named has its
 * default. The rules are checked. */
HY_MUST_CHECK hy_status hy_rules_parse(const char *text, hy_rules *rules, hy_error *error);

#endif

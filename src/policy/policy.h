/* Policies: who chooses the hole.
 *
 * A policy type is a row of a table: a name, its parameters, and up to four functions. A spec is a
 * type with values for its parameters, as the user gave it; a policy is a spec set up for one
 * variant. To add a type: write it beside random.c, give it a row in policy.c, test it; the loader,
 * the command line, the JSON Schema and the runner need no change.
 *
 * A policy is never asked when there is only one legal hole, and no random number is drawn then. */
#ifndef HY_POLICY_POLICY_H
#define HY_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/status.h"
#include "random/stream.h"
#include "rules/ply.h"

/* The identifier of what the policies and their presets mean in a database; another one means other
 * games. */
#define HY_POLICIES_VERSION "hoyito-policies/1"

#define HY_MAX_PARAMETERS 8
#define HY_MAX_PARAMETER_WORDS 4
#define HY_MAX_PARAMETER_TEXT 256

typedef enum hy_parameter_kind {
    HY_PARAMETER_INTEGER,
    HY_PARAMETER_REAL,
    HY_PARAMETER_WORD,
    HY_PARAMETER_POLICY, /* another policy; one a type at the most */
    HY_PARAMETER_TEXT,   /* any text, for example a path; one a type at the most, always required */
} hy_parameter_kind;

typedef struct hy_parameter {
    const char *key;
    hy_parameter_kind kind;
    bool required;     /* else `preset` holds */
    bool always_shown; /* in the canonical text, also at its preset */
    bool unrepeatable; /* where it is not 0, games depend on the machine's speed */
    double min, max;
    const char *words[HY_MAX_PARAMETER_WORDS];
    double preset; /* number, or index of the word */
    const char *meaning;
} hy_parameter;

typedef struct hy_policy_type hy_policy_type;

/* What the user asked for. Made by hy_policy_spec_new or _parse, released by _destroy. */
typedef struct hy_policy_spec {
    const hy_policy_type *type;
    double values[HY_MAX_PARAMETERS]; /* integers up to 2^53 are exact; words by their index */
    bool given[HY_MAX_PARAMETERS];
    struct hy_policy_spec *inner; /* of the parameter that is a policy; owned */
    char *text;                   /* of the parameter that is a text; owned */
} hy_policy_spec;

/* A position to choose in; everything is valid until the choice is made. */
typedef struct hy_choice {
    const hy_rules *rules;
    const hy_position *position;
    const hy_moves *moves; /* at least two */
    uint64_t max_laps;
    hy_stream *stream; /* of this seat in this game */
    /* How often a position has occurred in the game since the last capture; NULL where the rules
     * have no `repetition`. */
    unsigned (*times)(const void *history, const hy_position *position);
    const void *history;
} hy_choice;

#define HY_MAX_LINE 64

/* What a policy that searches thinks of a position. */
typedef struct hy_analysis {
    double values[HY_MAX_HOLES]; /* of each of choice->moves to the mover: counters still to be won,
                                    less those of the opponent (mcts: estimated) */
    bool exact;                  /* the game was searched to its end */
    unsigned depth;              /* reached; 0 where the word means nothing */
    uint64_t nodes;              /* plies played in searching, playouts included */
    uint8_t line[HY_MAX_LINE];   /* holes of best play for both sides, the first one chosen now */
    unsigned num_line;
} hy_analysis;

/* A policy set up for one variant; used by one thread at a time. */
typedef struct hy_policy {
    const hy_policy_type *type;
    const hy_policy_spec *spec; /* not owned, outlives the policy */
    struct hy_policy *inner;    /* of spec->inner; owned */
    void *state;                /* of the type's own, made by its `init` */
} hy_policy;

struct hy_policy_type {
    const char *name;
    const char *meaning;
    const hy_parameter *parameters;
    size_t num_parameters;
    bool uniform; /* draws one of the legal holes by hy_stream_below, and does nothing else */
    /* Optional: bytes that a policy of this type takes for a variant; without it next to none. */
    double (*memory)(const hy_policy_spec *spec, const hy_rules *rules);
    /* Optional: makes policy->state for a variant. */
    hy_status (*init)(hy_policy *policy, const hy_rules *rules, hy_error *error);
    /* Optional: forgets the game before, so that a game does not depend on it. */
    void (*new_game)(hy_policy *policy);
    /* Required: one of choice->moves, by its hole. */
    unsigned (*choose)(hy_policy *policy, const hy_choice *choice);
    /* Optional: as choose, saying why; draws nothing from the stream. */
    hy_status (*analyse)(hy_policy *policy, const hy_choice *choice, hy_analysis *analysis,
                         hy_error *error);
    /* Optional, for types that play by files: a hash of what decides the choices in them. */
    void (*fingerprint)(const hy_policy *policy, char hex[HY_SHA256_HEX_SIZE]);
    /* Optional: leaves aside ways that are made for some boards, and chooses the same. */
    void (*generalise)(hy_policy *policy);
    /* Optional: releases policy->state. */
    void (*clean_up)(hy_policy *policy);
};

extern const hy_policy_type *const hy_policy_types[];
extern const size_t hy_num_policy_types;

/* The type of that name; an error lists the names. */
HY_MUST_CHECK hy_status hy_policy_type_find(const char *name, const hy_policy_type **type,
                                            hy_error *error);

/* A spec with every parameter at its preset. */
HY_MUST_CHECK hy_status hy_policy_spec_new(const hy_policy_type *type, hy_policy_spec **spec,
                                           hy_error *error);
void hy_policy_spec_destroy(hy_policy_spec *spec);

/* The index of the type's parameter of that key; an error lists the keys. */
HY_MUST_CHECK hy_status hy_parameter_find(const hy_policy_type *type, const char *key,
                                          size_t *index, hy_error *error);

/* Sets a parameter from its text; a policy as hy_policy_spec_parse reads it. */
HY_MUST_CHECK hy_status hy_policy_spec_set(hy_policy_spec *spec, size_t index, const char *text,
                                           hy_error *error);

/* Gives the parameter that is a policy its policy, which the spec then owns. */
void hy_policy_spec_set_inner(hy_policy_spec *spec, size_t index, hy_policy_spec *inner);

/* Whether every required parameter was given. */
HY_MUST_CHECK hy_status hy_policy_spec_check(const hy_policy_spec *spec, hy_error *error);

/* Reads "greedy", "epsilon:rate=0.1,policy=(greedy:ties=first)": a name, or a name with parameters;
 * a policy that has parameters itself stands in parentheses. The spec is checked. */
HY_MUST_CHECK hy_status hy_policy_spec_parse(const char *text, hy_policy_spec **spec,
                                             hy_error *error);

/* Refuses a policy that cannot analyse, and names those that can. */
HY_MUST_CHECK hy_status hy_policy_spec_check_analyst(const hy_policy_spec *spec, hy_error *error);

/* Whether the same stream gives the same choices on every machine. */
bool hy_policy_spec_is_reproducible(const hy_policy_spec *spec);

/* Room for the text of any spec. */
#define HY_POLICY_TEXT_SIZE 1024
#define HY_MAX_POLICY_DEPTH 4 /* policies within policies */

/* Writes the canonical text, which hy_policy_spec_parse reads: parameters in the order of the
 * type's table, those at their preset left out. */
void hy_policy_spec_print(const hy_policy_spec *spec, char buffer[HY_POLICY_TEXT_SIZE]);

/* What a parameter takes, for people. */
const char *hy_parameter_allowed(const hy_parameter *parameter, char buffer[HY_FIELD_TEXT_SIZE]);

/* Bytes that hy_policy_new takes at the most, the files that it maps left aside. */
double hy_policy_spec_memory(const hy_policy_spec *spec, const hy_rules *rules);

/* HY_INVALID: the policy takes more memory than the machine has. */
HY_MUST_CHECK hy_status hy_policy_new(const hy_policy_spec *spec, const hy_rules *rules,
                                      hy_policy **policy, hy_error *error);
void hy_policy_destroy(hy_policy *policy);

void hy_policy_new_game(hy_policy *policy);

/* From now on the policy takes the ways that are right for any board: the same choices, slower. For
 * tests, and to say how much faster the others are. */
void hy_policy_generalise(hy_policy *policy);

static inline unsigned hy_policy_choose(hy_policy *policy, const hy_choice *choice)
{
    return policy->type->choose(policy, choice);
}

#endif

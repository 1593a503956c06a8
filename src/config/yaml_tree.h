/* YAML text as a tree whose nodes know their place.
 *
 * Only plain data is read: aliases, anchors, tags, several documents, duplicate keys and keys that
 * are no scalars are refused, as is all that no configuration needs the size of. */
#ifndef HY_CONFIG_YAML_TREE_H
#define HY_CONFIG_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define HY_YAML_MAX_DEPTH 16u
#define HY_YAML_MAX_KEYS 128u /* in one mapping */

typedef enum hy_yaml_kind {
    HY_YAML_SCALAR,
    HY_YAML_SEQUENCE,
    HY_YAML_MAPPING,
} hy_yaml_kind;

typedef struct hy_yaml_node {
    hy_yaml_kind kind;
    const char *file;         /* owned by the document */
    unsigned line, column;    /* from 1; columns in characters */
    bool plain;               /* a scalar without quotes, and no block of text */
    char *text;               /* of a scalar: UTF-8 without NUL */
    struct hy_yaml_node *key; /* of a value in a mapping: its key, a scalar */
    struct hy_yaml_node **items;
    size_t num_items, max_items;
} hy_yaml_node;

typedef struct hy_yaml_document {
    char *file;
    hy_yaml_node *root;
} hy_yaml_document;

/* Reads `size` bytes of text; `file` names them in errors and is copied. Faults of the text are
 * HY_INVALID with their place. The caller releases the document with hy_yaml_clean_up. */
HY_MUST_CHECK hy_status hy_yaml_parse(const char *text, size_t size, const char *file,
                                      hy_yaml_document *document, hy_error *error);

/* The same for a file on disk (see text_file.h). */
HY_MUST_CHECK hy_status hy_yaml_read(const char *path, hy_yaml_document *document, hy_error *error);

void hy_yaml_clean_up(hy_yaml_document *document);

/* The value of a mapping's key, or NULL. */
const hy_yaml_node *hy_yaml_get(const hy_yaml_node *mapping, const char *key);

#define HY_BRIEF_SIZE 41 /* the messages of other folders show up to 40 bytes */

/* Cuts a text short for a message: control characters become '?', a cut ends in "…". */
const char *hy_yaml_brief(const char *text, char buffer[HY_BRIEF_SIZE]);

#define HY_SHOWN_SIZE (HY_BRIEF_SIZE + 24)

/* What a node is, for a message "'key' cannot be …"; points to a constant or into `buffer`. */
const char *hy_yaml_shown(const hy_yaml_node *node, char buffer[HY_SHOWN_SIZE]);

/* Makes an HY_INVALID error at the place of a node. */
hy_status hy_yaml_fail(const hy_yaml_node *node, hy_error *error, const char *format, ...)
    HY_PRINTF(3, 4);

/* Gives an HY_INVALID error that has no place yet that of a node; returns `status`. */
hy_status hy_yaml_locate(const hy_yaml_node *node, hy_status status, hy_error *error);

#endif

/* What the readers of a tree ask its nodes for. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/yaml_tree.h"

const hy_yaml_node *hy_yaml_get(const hy_yaml_node *mapping, const char *key)
{
    for (size_t i = 0; i < mapping->num_items; i++) {
        if (strcmp(mapping->items[i]->key->text, key) == 0)
            return mapping->items[i];
    }
    return NULL;
}

/* Names in parentheses: scripts/analysis.h has macros of the same names. */
hy_status(hy_yaml_fail)(const hy_yaml_node *node, hy_error *error, const char *format, ...)
{
    char text[HY_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return hy_yaml_locate(node, hy_fail(error, HY_INVALID, "%s", text), error);
}

hy_status(hy_yaml_locate)(const hy_yaml_node *node, hy_status status, hy_error *error)
{
    if (status == HY_INVALID)
        hy_error_locate(error, node->file, node->line, node->column);
    return status;
}

const char *hy_yaml_brief(const char *text, char buffer[HY_BRIEF_SIZE])
{
    const size_t most = HY_BRIEF_SIZE - sizeof "…";
    size_t size = strnlen(text, most + 1);
    bool cut = size > most;
    if (cut) {
        size = most;
        while (size > 0 && (text[size] & 0xc0) == 0x80)
            size--;
    }
    for (size_t i = 0; i < size; i++)
        buffer[i] = (char)((unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
    memcpy(buffer + size, cut ? "…" : "", cut ? sizeof "…" : 1);
    return buffer;
}

const char *hy_yaml_shown(const hy_yaml_node *node, char buffer[HY_SHOWN_SIZE])
{
    char brief[HY_BRIEF_SIZE];
    if (node->kind == HY_YAML_SEQUENCE)
        return "a list";
    if (node->kind == HY_YAML_MAPPING)
        return "a mapping";
    if (node->plain && node->text[0] == '\0')
        return "empty";
    snprintf(buffer, HY_SHOWN_SIZE, "%s'%s'", node->plain ? "" : "the quoted text ",
             hy_yaml_brief(node->text, brief));
    return buffer;
}

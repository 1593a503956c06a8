#include "config/yaml_tree.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"
#include "config/text_file.h"

struct reader {
    yaml_parser_t parser;
    const char *text;
    size_t size;
    const char *file;
    hy_error *error;
};

static hy_status fail_at(struct reader *reader, yaml_mark_t mark, const char *text)
{
    hy_fail(reader->error, HY_INVALID, "%s", text);
    hy_error_locate(reader->error, reader->file, (unsigned)mark.line + 1,
                    (unsigned)mark.column + 1);
    return HY_INVALID;
}

/* Bytes that are no text are reported by their offset alone. */
static yaml_mark_t mark_of_offset(const struct reader *reader, size_t offset)
{
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < offset && i < reader->size; i++) {
        if (reader->text[i] == '\n') {
            mark.line++;
            mark.column = 0;
        } else if ((reader->text[i] & 0xc0) != 0x80) {
            mark.column++;
        }
    }
    return mark;
}

static hy_status fail_syntax(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    char text[HY_ERROR_TEXT_SIZE];
    if (parser->error == YAML_MEMORY_ERROR)
        return hy_fail_memory(reader->error);
    snprintf(text, sizeof text, "invalid YAML: %s%s%s%s", parser->problem,
             parser->context ? " (" : "", parser->context ? parser->context : "",
             parser->context ? ")" : "");
    if (parser->error == YAML_READER_ERROR)
        return fail_at(reader, mark_of_offset(reader, parser->problem_offset), text);
    return fail_at(reader, parser->problem_mark, text);
}

static hy_status refuse_marks(struct reader *reader, yaml_mark_t place, const void *anchor,
                              const void *tag)
{
    if (anchor)
        return fail_at(reader, place, "anchors ('&name') are not supported");
    if (tag)
        return fail_at(reader, place, "tags ('!name') are not supported");
    return HY_OK;
}

static hy_status check_event(struct reader *reader, const yaml_event_t *event)
{
    yaml_mark_t place = event->start_mark;
    if (event->type == YAML_ALIAS_EVENT)
        return fail_at(reader, place, "aliases ('*name') are not supported");
    if (event->type == YAML_SEQUENCE_START_EVENT)
        return refuse_marks(reader, place, event->data.sequence_start.anchor,
                            event->data.sequence_start.tag);
    if (event->type == YAML_MAPPING_START_EVENT)
        return refuse_marks(reader, place, event->data.mapping_start.anchor,
                            event->data.mapping_start.tag);
    if (event->type != YAML_SCALAR_EVENT)
        return HY_OK;
    if (memchr(event->data.scalar.value, '\0', event->data.scalar.length))
        return fail_at(reader, place, "a NUL character in a text is not supported");
    return refuse_marks(reader, place, event->data.scalar.anchor, event->data.scalar.tag);
}

/* On success the caller deletes the event. */
static hy_status next_event(struct reader *reader, yaml_event_t *event)
{
    if (!yaml_parser_parse(&reader->parser, event))
        return fail_syntax(reader);
    hy_status status = check_event(reader, event);
    if (status != HY_OK)
        yaml_event_delete(event);
    return status;
}

static void destroy(hy_yaml_node *node)
{
    if (!node)
        return;
    for (size_t i = 0; i < node->num_items; i++)
        destroy(node->items[i]);
    destroy(node->key);
    free(node->items);
    free(node->text);
    free(node);
}

static hy_yaml_kind kind_of(const yaml_event_t *event)
{
    if (event->type == YAML_SEQUENCE_START_EVENT)
        return HY_YAML_SEQUENCE;
    return event->type == YAML_MAPPING_START_EVENT ? HY_YAML_MAPPING : HY_YAML_SCALAR;
}

static hy_yaml_node *new_node(const struct reader *reader, const yaml_event_t *event)
{
    hy_yaml_node *node = hy_new_array(1, sizeof *node);
    if (!node)
        return NULL;
    node->kind = kind_of(event);
    node->file = reader->file;
    node->line = (unsigned)event->start_mark.line + 1;
    node->column = (unsigned)event->start_mark.column + 1;
    if (node->kind != HY_YAML_SCALAR)
        return node;
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = strdup((const char *)event->data.scalar.value);
    if (node->text)
        return node;
    free(node);
    return NULL;
}

static hy_status build_items(struct reader *reader, unsigned depth, hy_yaml_node *node);

/* Builds the node that an event begins. */
static hy_status build(struct reader *reader, const yaml_event_t *event, unsigned depth,
                       hy_yaml_node **node)
{
    if (depth > HY_YAML_MAX_DEPTH)
        return fail_at(reader, event->start_mark, "nesting of more than 16 levels");
    hy_yaml_node *made = new_node(reader, event);
    if (!made)
        return hy_fail_memory(reader->error);
    hy_status status = HY_OK;
    if (made->kind != HY_YAML_SCALAR)
        status = build_items(reader, depth, made);
    if (status == HY_OK)
        *node = made;
    else
        destroy(made);
    return status;
}

/* Builds the next node; at the end of the surrounding one, *node is NULL. */
static hy_status build_next(struct reader *reader, unsigned depth, hy_yaml_node **node)
{
    yaml_event_t event;
    *node = NULL;
    hy_status status = next_event(reader, &event);
    if (status != HY_OK)
        return status;
    if (event.type != YAML_SEQUENCE_END_EVENT && event.type != YAML_MAPPING_END_EVENT)
        status = build(reader, &event, depth, node);
    yaml_event_delete(&event);
    return status;
}

static hy_status check_key(const hy_yaml_node *mapping, const hy_yaml_node *key, hy_error *error)
{
    char brief[HY_BRIEF_SIZE];
    if (key->kind != HY_YAML_SCALAR)
        return hy_yaml_fail(key, error, "a key cannot be a list or a mapping");
    const hy_yaml_node *before = hy_yaml_get(mapping, key->text);
    if (before)
        return hy_yaml_fail(key, error, "the key '%s' is given twice: in line %u and in line %u",
                            hy_yaml_brief(key->text, brief), before->key->line, key->line);
    if (mapping->num_items >= HY_YAML_MAX_KEYS)
        return hy_yaml_fail(key, error, "a mapping of more than %u keys", HY_YAML_MAX_KEYS);
    return HY_OK;
}

static hy_status build_pair(struct reader *reader, unsigned depth, const hy_yaml_node *mapping,
                            hy_yaml_node **value)
{
    hy_yaml_node *key;
    *value = NULL;
    hy_status status = build_next(reader, depth, &key);
    if (status != HY_OK || !key)
        return status;
    status = check_key(mapping, key, reader->error);
    if (status == HY_OK)
        status = build_next(reader, depth, value);
    if (*value)
        (*value)->key = key;
    else
        destroy(key);
    return status;
}

static hy_status build_items(struct reader *reader, unsigned depth, hy_yaml_node *node)
{
    for (;;) {
        hy_yaml_node *item;
        hy_status status = node->kind == HY_YAML_MAPPING
                               ? build_pair(reader, depth + 1, node, &item)
                               : build_next(reader, depth + 1, &item);
        if (status != HY_OK || !item)
            return status;
        status = hy_reserve(&node->items, &node->max_items, node->num_items + 1,
                            sizeof(hy_yaml_node *), reader->error);
        if (status != HY_OK) {
            destroy(item);
            return status;
        }
        node->items[node->num_items++] = item;
    }
}

/* Reads one of the events that frame a document, and says which. */
static hy_status next_frame(struct reader *reader, yaml_event_type_t *type, yaml_mark_t *mark)
{
    yaml_event_t event;
    hy_status status = next_event(reader, &event);
    if (status != HY_OK)
        return status;
    *type = event.type;
    *mark = event.start_mark;
    yaml_event_delete(&event);
    return HY_OK;
}

static bool is_empty(const hy_yaml_node *root)
{
    return !root || (root->kind == HY_YAML_SCALAR && root->plain && root->text[0] == '\0');
}

static hy_status build_document(struct reader *reader, hy_yaml_node **root)
{
    yaml_event_type_t type;
    yaml_mark_t mark;
    hy_status status = next_frame(reader, &type, &mark); /* the start of the stream */
    if (status == HY_OK)
        status = next_frame(reader, &type, &mark);
    if (status != HY_OK)
        return status;
    if (type == YAML_STREAM_END_EVENT)
        return fail_at(reader, (yaml_mark_t){0}, "the file is empty");
    status = build_next(reader, 1, root);
    if (status == HY_OK)
        status = next_frame(reader, &type, &mark); /* the end of the document */
    if (status == HY_OK)
        status = next_frame(reader, &type, &mark);
    if (status == HY_OK && type != YAML_STREAM_END_EVENT)
        return fail_at(reader, mark, "more than one document in the file");
    if (status == HY_OK && is_empty(*root))
        return fail_at(reader, (yaml_mark_t){0}, "the file is empty");
    return status;
}

hy_status hy_yaml_parse(const char *text, size_t size, const char *file, hy_yaml_document *document,
                        hy_error *error)
{
    struct reader reader = {.text = text, .size = size, .error = error};
    *document = (hy_yaml_document){.file = strdup(file)};
    if (!document->file)
        return hy_fail_memory(error);
    reader.file = document->file;
    hy_status status;
    if (yaml_parser_initialize(&reader.parser)) {
        yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, size);
        status = build_document(&reader, &document->root);
        yaml_parser_delete(&reader.parser);
    } else {
        status = hy_fail_memory(error);
    }
    if (status != HY_OK)
        hy_yaml_clean_up(document);
    return status;
}

hy_status hy_yaml_read(const char *path, hy_yaml_document *document, hy_error *error)
{
    char *text;
    size_t size;
    hy_status status = hy_text_file_read(path, &text, &size, error);
    if (status != HY_OK)
        return status;
    status = hy_yaml_parse(text, size, path, document, error);
    free(text);
    return status;
}

void hy_yaml_clean_up(hy_yaml_document *document)
{
    destroy(document->root);
    free(document->file);
    *document = (hy_yaml_document){0};
}

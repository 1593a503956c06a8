#include "base/text_buffer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* In the manner of fopencookie(3): 0 is a failure, which the stream keeps. */
static ssize_t append(void *cookie, const char *bytes, size_t size)
{
    hy_text_buffer *buffer = cookie;
    size_t needed = buffer->size + size + 1;
    if (hy_reserve(&buffer->text, &buffer->capacity, needed, 1, NULL) != HY_OK)
        return 0;
    memcpy(buffer->text + buffer->size, bytes, size);
    buffer->size += size;
    buffer->text[buffer->size] = '\0';
    return (ssize_t)size;
}

hy_status hy_text_buffer_open(hy_text_buffer *buffer, hy_error *error)
{
    *buffer = (hy_text_buffer){0};
    if (hy_reserve(&buffer->text, &buffer->capacity, 1, 1, error) != HY_OK)
        return HY_NO_MEMORY;
    buffer->text[0] = '\0';
    buffer->out = fopencookie(buffer, "w", (cookie_io_functions_t){.write = append});
    if (buffer->out)
        return HY_OK;
    free(buffer->text);
    buffer->text = NULL;
    return hy_fail_memory(error);
}

hy_status hy_text_buffer_close(hy_text_buffer *buffer, hy_status status, hy_error *error)
{
    bool written = !ferror(buffer->out);
    written = fclose(buffer->out) == 0 && written;
    buffer->out = NULL;
    if (status == HY_OK && !written)
        status = hy_fail_memory(error);
    if (status != HY_OK) {
        free(buffer->text);
        buffer->text = NULL;
    }
    return status;
}

/* Arguments of commands that ask one metric of a database. */
#ifndef HY_CLI_QUESTION_ARGUMENTS_H
#define HY_CLI_QUESTION_ARGUMENTS_H

#include "cli/database_arguments.h"
#include "report/metric.h"
#include "stats/adjust.h"

typedef struct hy_question {
    hy_database_arguments database; /* first: for hy_parse_database_option */
    const hy_metric *metric;
    hy_adjustment adjustment;
    double confidence;
    double horizon; /* 0: not given */
    bool list;
} hy_question;

/* METRIC, adjustment, confidence, horizon, list, json: the parent of a command's own options. */
extern const struct argp hy_question_argp;

/* What the options are before they are read. */
hy_question hy_question_default(void);

/* Prints all metrics. */
HY_MUST_CHECK hy_status hy_list_metrics(bool json, hy_error *error);

#endif

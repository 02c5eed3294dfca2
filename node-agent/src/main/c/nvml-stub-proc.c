// Finds the live processes of this host that a job's environment ties to a device.
#include "nvml-stub.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENVIRONMENT = 256 * 1024 };

static size_t read_file(const char *pid, const char *name, char *to, size_t size) {
    char path[64];
    if (snprintf(path, sizeof path, "/proc/%.16s/%s", pid, name) >= (int)sizeof path) {
        return 0;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    size_t length = 0;
    ssize_t got = 0;
    while (length < size - 1 && (got = read(fd, to + length, size - 1 - length)) > 0) {
        length += (size_t)got;
    }
    close(fd);
    to[length] = 0;
    return length;
}

static const char *variable(const char *environment, size_t length, const char *name) {
    size_t name_length = strlen(name);
    for (const char *entry = environment; entry < environment + length; entry += strlen(entry) + 1) {
        if (!strncmp(entry, name, name_length) && entry[name_length] == '=') {
            return entry + name_length + 1;
        }
    }
    return NULL;
}

static bool lists(const char *uuids, const char *uuid) {
    size_t length = strlen(uuid);
    for (const char *at = strstr(uuids, uuid); at; at = strstr(at + 1, uuid)) {
        bool begins = at == uuids || at[-1] == ',';
        bool ends = at[length] == 0 || at[length] == ',';
        if (begins && ends) {
            return true;
        }
    }
    return false;
}

// The supervisor has its job's environment, and never touches a GPU.
static bool is_supervisor(const char *pid) {
    char name[32];
    return read_file(pid, "comm", name, sizeof name) && !strcmp(name, "qs-shim\n");
}

void processes_scan(const char *uuid, unsigned long long bytes, struct processes *to) {
    DIR *proc = opendir("/proc");
    char *environment = malloc(ENVIRONMENT);
    if (proc && environment) {
        for (struct dirent *entry = readdir(proc); entry && to->count < MAX_PROCESSES; entry = readdir(proc)) {
            const char *pid = entry->d_name;
            size_t length = isdigit((unsigned char)*pid) ? read_file(pid, "environ", environment, ENVIRONMENT) : 0;
            const char *uuids = length ? variable(environment, length, "CUDA_VISIBLE_DEVICES") : NULL;
            if (uuids && lists(uuids, uuid) && variable(environment, length, "QS_ATTEMPT_ID") && !is_supervisor(pid)) {
                to->list[to->count++] = (struct process){COMPUTE, (unsigned)strtoul(pid, NULL, 10), bytes};
            }
        }
    }
    free(environment);
    if (proc) {
        closedir(proc);
    }
}

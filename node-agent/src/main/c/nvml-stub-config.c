// Reads the configuration file of the stand-in for NVML. nvml-stub.h describes it.
#include "nvml-stub.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 64, LINE = 2048 };

struct model {
    const char *word;
    const char *name;
    unsigned pci_id;
    unsigned memory_mib;
};

static const struct model MODELS[] = {
    {"h100", "NVIDIA H100 80GB HBM3", 0x233010de, 81559},
    {"h200", "NVIDIA H200", 0x233510de, 143771},
    {"a100", "NVIDIA A100-SXM4-80GB", 0x20b210de, 81920},
    {"l40s", "NVIDIA L40S", 0x26b910de, 46068},
    {"b200", "NVIDIA B200", 0x290110de, 183359},
    {"v100", "Tesla V100-SXM2-32GB", 0x1db510de, 32768},
    {"t4", "Tesla T4", 0x1eb810de, 15360},
};

struct parser {
    const char *path;
    unsigned line;
    struct config *config;
    char *words[MAX_WORDS];
    unsigned count;
    const struct model *model;
};

static bool wrong(const struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool wrong(const struct parser *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "nvml-stub: %s:%u: ", p->path, p->line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}

static const char *word(const struct parser *p, unsigned i) { return i < p->count ? p->words[i] : ""; }

static bool number(const struct parser *p, unsigned i, int base, unsigned long long max, unsigned long long *to) {
    char *end = NULL;
    errno = 0;
    *to = strtoull(word(p, i), &end, base);
    if (end == word(p, i) || *end || errno || *to > max) {
        return wrong(p, "'%s' (expected: a number up to %llu)", word(p, i), max);
    }
    return true;
}

static bool small(const struct parser *p, unsigned i, unsigned max, unsigned *to) {
    unsigned long long value = 0;
    if (!number(p, i, 10, max, &value)) {
        return false;
    }
    *to = (unsigned)value;
    return true;
}

static bool on_off(const struct parser *p, unsigned i, bool *to) {
    *to = !strcmp(word(p, i), "on");
    return *to || !strcmp(word(p, i), "off") || wrong(p, "'%s' (expected: on or off)", word(p, i));
}

static bool text(const struct parser *p, unsigned i, char *to, size_t size) {
    size_t length = strlen(word(p, i));
    if (length == 0 || length >= size) {
        return wrong(p, "'%s' (expected: 1 to %zu characters)", word(p, i), size - 1);
    }
    memcpy(to, word(p, i), length + 1);
    return true;
}

// FNV-1a, and a last round that spreads every bit over all.
static unsigned long long hash(const char *bytes, unsigned long long seed) {
    unsigned long long value = 14695981039346656037ULL ^ seed;
    for (; *bytes; bytes++) {
        value = (value ^ (unsigned char)*bytes) * 1099511628211ULL;
    }
    value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdULL;
    value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return value ^ (value >> 33);
}

static void make_uuid(const char *prefix, const char *seed, unsigned device, unsigned slot, char to[TEXT]) {
    char key[TEXT + 32];
    snprintf(key, sizeof key, "%s/%u/%u", seed, device, slot);
    unsigned long long a = hash(key, 0), b = hash(key, a);
    snprintf(to, TEXT, "%s-%08llx-%04llx-%04llx-%04llx-%012llx", prefix, a >> 32, a >> 16 & 0xffff, a & 0xffff, b >> 48,
             b & 0xffffffffffffULL);
}

static void make_device(const struct parser *p, unsigned i) {
    struct device *d = &p->config->devices[i];
    make_uuid("GPU", p->config->seed, i, MAX_SLOTS, d->uuid);
    snprintf(d->name, sizeof d->name, "%s (stand-in)", p->model->name);
    snprintf(d->bus_id, sizeof d->bus_id, "00000000:%02X:00.0", (i + 1) & 0xffu);
    d->pci_id = p->model->pci_id;
    d->minor = i;
    d->memory_mib = p->model->memory_mib;
    d->used_mib = 16;
}

// The devices follow from devices, model and seed, so these three come before any other statement about devices.
static bool set_devices(struct parser *p) {
    if (!small(p, 1, MAX_DEVICES, &p->config->count)) {
        return false;
    }
    memset(p->config->devices, 0, sizeof p->config->devices);
    p->config->listed = p->config->count;
    for (unsigned i = 0; i < p->config->count; i++) {
        make_device(p, i);
        p->config->order[i] = i;
    }
    return true;
}

static bool set_model(struct parser *p) {
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
        if (!strcmp(MODELS[i].word, word(p, 1))) {
            p->model = &MODELS[i];
            return p->config->count == 0 || wrong(p, "model after devices (expected: before)");
        }
    }
    return wrong(p, "model '%s' (expected: h100, h200, a100, l40s, b200, v100 or t4)", word(p, 1));
}

static bool set_seed(struct parser *p) {
    return text(p, 1, p->config->seed, sizeof p->config->seed) &&
           (p->config->count == 0 || wrong(p, "seed after devices (expected: before)"));
}

static bool set_driver(struct parser *p) { return text(p, 1, p->config->driver, sizeof p->config->driver); }

static bool set_order(struct parser *p) {
    struct config *c = p->config;
    bool seen[MAX_DEVICES] = {false};
    if (p->count - 1 != c->count) {
        return wrong(p, "order of %u (expected: each of the %u devices)", p->count - 1, c->count);
    }
    for (unsigned i = 0; i < c->count; i++) {
        if (!small(p, i + 1, c->count - 1, &c->order[i])) {
            return false;
        }
        if (seen[c->order[i]]) {
            return wrong(p, "order: %u twice (expected: each device once)", c->order[i]);
        }
        seen[c->order[i]] = true;
    }
    return true;
}

static bool set_stride(struct parser *p) {
    if (!small(p, 1, 32, &p->config->stride)) {
        return false;
    }
    unsigned s = p->config->stride;
    return s == 16 || s == 24 || s == 32 || wrong(p, "stride %u (expected: 16, 24 or 32)", s);
}

static bool set_scan(struct parser *p) { return on_off(p, 1, &p->config->scan); }

static bool set_scan_memory(struct parser *p) { return number(p, 1, 10, 1 << 20, &p->config->scan_memory_mib); }

static bool set_fault(struct parser *p) {
    struct config *c = p->config;
    if (c->fault_count == MAX_FAULTS) {
        return wrong(p, "more than %d faults", MAX_FAULTS);
    }
    struct fault f = {.device = -1};
    bool effect = false;
    for (unsigned i = 1; i < p->count; i++) {
        unsigned value = 0;
        if (!strcmp(word(p, i), "hang")) {
            f.hang = effect = true;
        } else if (!strcmp(word(p, i), "function")) {
            if (!text(p, ++i, f.function, sizeof f.function)) {
                return false;
            }
        } else if (!strcmp(word(p, i), "device")) {
            if (!small(p, ++i, MAX_DEVICES - 1, &value)) {
                return false;
            }
            f.device = (int)value;
        } else if (!strcmp(word(p, i), "after")) {
            if (!small(p, ++i, 1000000, &f.after)) {
                return false;
            }
        } else if (!strcmp(word(p, i), "rc")) {
            if (!small(p, ++i, 999, &value)) {
                return false;
            }
            f.rc = (int)value;
            effect = true;
        } else {
            return wrong(p, "fault: '%s' (expected: function, device, after, rc or hang)", word(p, i));
        }
    }
    c->faults[c->fault_count++] = f;
    return effect || wrong(p, "fault without an effect (expected: rc CODE or hang)");
}

static bool add_process(const struct parser *p, unsigned i, enum process_kind kind, struct processes *to) {
    unsigned long long pid = 0, mib = 1024;
    if (!number(p, i, 10, 0xffffffff, &pid) || (p->count > i + 1 && !number(p, i + 1, 10, 1 << 20, &mib))) {
        return false;
    }
    if (to->count == MAX_PROCESSES) {
        return wrong(p, "more than %d processes", MAX_PROCESSES);
    }
    to->list[to->count++] = (struct process){kind, (unsigned)pid, mib << 20};
    return true;
}

static bool device_mig(struct parser *p, struct device *d, unsigned number_of_device) {
    d->mig = d->mig_pending = true;
    if (p->count == 4 && !strcmp(word(p, 3), "none")) {
        return true;
    }
    for (unsigned i = 3; i < p->count; i++) {
        unsigned slot = 0, slices = 0, gb = 0;
        char rest = 0;
        if (sscanf(word(p, i), "%u:%ug.%ugb%c", &slot, &slices, &gb, &rest) != 3 || slot >= MAX_SLOTS || slices < 1 || slices > 8 ||
            gb < 1 || gb > 512) {
            return wrong(p, "mig '%s' (expected: none, or SLOT:PROFILE such as 0:1g.10gb)", word(p, i));
        }
        struct instance *m = &d->instances[slot];
        make_uuid("MIG", p->config->seed, number_of_device, slot, m->uuid);
        snprintf(m->profile, sizeof m->profile, "%ug.%ugb", slices, gb);
        m->slices = slices;
        m->memory_mib = gb * 9728 / 10;
    }
    return true;
}

static bool device_mig_process(struct parser *p, struct device *d) {
    unsigned slot = 0;
    if (!small(p, 3, MAX_SLOTS - 1, &slot)) {
        return false;
    }
    return d->instances[slot].slices ? add_process(p, 4, COMPUTE, &d->instances[slot].processes)
                                     : wrong(p, "mig_process: no instance in slot %u", slot);
}

static bool device_name(struct parser *p, struct device *d) {
    d->name[0] = 0;
    for (unsigned i = 3; i < p->count; i++) {
        size_t used = strlen(d->name);
        int written = snprintf(d->name + used, sizeof d->name - used, "%s%s", used ? " " : "", word(p, i));
        if (written < 0 || (size_t)written >= sizeof d->name - used) {
            return wrong(p, "name longer than %zu characters", sizeof d->name - 1);
        }
    }
    return d->name[0] || wrong(p, "name is empty");
}

static bool device_remapped(struct parser *p, struct device *d) {
    d->remap_pending |= !strcmp(word(p, 3), "pending");
    d->remap_failed |= !strcmp(word(p, 3), "failed");
    return d->remap_pending || d->remap_failed || wrong(p, "remapped '%s' (expected: pending or failed)", word(p, 3));
}

static bool device_pci_id(struct parser *p, struct device *d) {
    unsigned long long value = 0;
    if (!number(p, 3, 16, 0xffffffff, &value)) {
        return false;
    }
    d->pci_id = (unsigned)value;
    return true;
}

static bool set_device(struct parser *p) {
    unsigned i = 0;
    if (p->config->count == 0) {
        return wrong(p, "device before devices");
    }
    if (!small(p, 1, p->config->count - 1, &i)) {
        return false;
    }
    struct device *d = &p->config->devices[i];
    const char *what = word(p, 2);
    if (!strcmp(what, "uuid")) return text(p, 3, d->uuid, sizeof d->uuid);
    if (!strcmp(what, "name")) return device_name(p, d);
    if (!strcmp(what, "pci_id")) return device_pci_id(p, d);
    if (!strcmp(what, "bus_id")) return text(p, 3, d->bus_id, sizeof d->bus_id);
    if (!strcmp(what, "minor")) return small(p, 3, 255, &d->minor);
    if (!strcmp(what, "memory_mib")) return number(p, 3, 10, 1 << 20, &d->memory_mib);
    if (!strcmp(what, "used_mib")) return number(p, 3, 10, 1 << 20, &d->used_mib);
    if (!strcmp(what, "process")) return add_process(p, 3, COMPUTE, &d->processes);
    if (!strcmp(what, "graphics_process")) return add_process(p, 3, GRAPHICS, &d->processes);
    if (!strcmp(what, "mps_process")) return add_process(p, 3, MPS, &d->processes);
    if (!strcmp(what, "mig")) return device_mig(p, d, i);
    if (!strcmp(what, "mig_process")) return device_mig_process(p, d);
    if (!strcmp(what, "mig_pending")) return on_off(p, 3, &d->mig_pending);
    if (!strcmp(what, "recovery")) return small(p, 3, 99, &d->recovery);
    if (!strcmp(what, "remapped")) return device_remapped(p, d);
    if (!strcmp(what, "hidden")) return d->hidden = true;
    return wrong(p, "device: '%s' is not known", what);
}

struct statement {
    const char *word;
    bool (*set)(struct parser *);
};

static const struct statement STATEMENTS[] = {
    {"driver", set_driver}, {"devices", set_devices}, {"model", set_model},         {"seed", set_seed},
    {"order", set_order},   {"stride", set_stride},   {"scan_processes", set_scan}, {"process_memory_mib", set_scan_memory},
    {"device", set_device}, {"fault", set_fault},
};

static bool statement(struct parser *p, char *line) {
    char *comment = strchr(line, '#');
    if (comment) {
        *comment = 0;
    }
    char *rest = NULL;
    p->count = 0;
    for (char *w = strtok_r(line, " \t\r\n", &rest); w; w = strtok_r(NULL, " \t\r\n", &rest)) {
        if (p->count == MAX_WORDS) {
            return wrong(p, "more than %d words", MAX_WORDS);
        }
        p->words[p->count++] = w;
    }
    if (p->count == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof STATEMENTS / sizeof *STATEMENTS; i++) {
        if (!strcmp(STATEMENTS[i].word, p->words[0])) {
            return STATEMENTS[i].set(p);
        }
    }
    return wrong(p, "'%s' is not known", p->words[0]);
}

static void drop_hidden(struct config *c) {
    c->listed = 0;
    for (unsigned i = 0; i < c->count; i++) {
        if (!c->devices[c->order[i]].hidden) {
            c->order[c->listed++] = c->order[i];
        }
    }
}

bool config_read(const char *path, struct config *config) {
    FILE *file = fopen(path, "re");
    if (!file) {
        fprintf(stderr, "nvml-stub: %s: %s\n", path, strerror(errno));
        return false;
    }
    *config = (struct config){.driver = "570.00", .seed = "stub", .scan_memory_mib = 1024};
    struct parser p = {.path = path, .config = config, .model = &MODELS[0]};
    char line[LINE];
    bool good = true;
    while (fgets(line, sizeof line, file)) {
        p.line++;
        if (!strchr(line, '\n') && !feof(file)) {
            good = wrong(&p, "line longer than %d characters", LINE - 2);
            break;
        }
        good &= statement(&p, line);
    }
    fclose(file);
    drop_hidden(config);
    return good;
}

// A stand-in for NVML on hosts without a GPU. nvml-stub.h says what it does and how it is configured.
//
// Only what the agent binds is here. Every function behaves as NVML's documentation says, return codes included.
#include "nvml-stub.h"
#include "nvml-types.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SUCCESS = 0,
    UNINITIALIZED = 1,
    INVALID_ARGUMENT = 2,
    NOT_SUPPORTED = 3,
    NOT_FOUND = 6,
    INSUFFICIENT_SIZE = 7,
    FUNCTION_NOT_FOUND = 13,
    ARGUMENT_VERSION_MISMATCH = 25,
    UNKNOWN = 999,
};

#define API __attribute__((visibility("default")))

enum { FIELD_RECOVERY_ACTION = 230, TYPE_UNSIGNED_INT = 1, NO_INSTANCE = 0xffffffff };

static const unsigned long long RESERVED_BYTES = 600ULL << 20;

// The mutex guards everything below. A call that hangs does not hold it.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct config current, next;
static struct stat read_at;
static bool usable;
static unsigned initialised;

static bool changed(const struct stat *now) {
    return now->st_ino != read_at.st_ino || now->st_size != read_at.st_size || now->st_mtim.tv_sec != read_at.st_mtim.tv_sec ||
           now->st_mtim.tv_nsec != read_at.st_mtim.tv_nsec;
}

// A file that is wrong or gone leaves the last good configuration, except for nvmlInit_v2, which answers 999 then.
static void reload(void) {
    const char *path = getenv("QS_NVML_STUB_CONFIG");
    struct stat now;
    if (!path || stat(path, &now)) {
        if (usable || !path) {
            fprintf(stderr, "nvml-stub: QS_NVML_STUB_CONFIG=%s: no such file\n", path ? path : "");
        }
        usable = false;
        memset(&read_at, 0, sizeof read_at);
    } else if (changed(&now)) {
        read_at = now;
        usable = config_read(path, &next);
        if (usable) {
            memcpy(&current, &next, sizeof current);
        }
    }
}

// A handle is the address of a struct device, or of one of its instances.
static struct device *device_of(const void *handle) {
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)current.devices;
    bool inside = handle && offset < sizeof current.devices;
    return inside && offset / sizeof(struct device) < current.count ? &current.devices[offset / sizeof(struct device)] : NULL;
}

static struct instance *instance_of(const void *handle) {
    struct device *d = device_of(handle);
    for (unsigned i = 0; d && i < MAX_SLOTS; i++) {
        if (handle == &d->instances[i]) {
            return &d->instances[i];
        }
    }
    return NULL;
}

static struct fault *fault_of(const char *function, const struct device *d, bool count) {
    for (unsigned i = 0; i < current.fault_count; i++) {
        struct fault *f = &current.faults[i];
        bool for_function = !f->function[0] || !strcmp(f->function, function);
        bool for_device = f->device < 0 || (d && f->device == d - current.devices);
        if (for_function && for_device) {
            f->calls += count;
            if (f->calls > f->after) {
                return f;
            }
        }
    }
    return NULL;
}

// Takes the mutex, which leave() gives back. Answers what a fault of the configuration wants, or 0.
static int enter(const char *function, const void *handle) {
    pthread_mutex_lock(&mutex);
    reload();
    struct fault *f = fault_of(function, device_of(handle), true);
    while (f && f->hang) {
        pthread_mutex_unlock(&mutex);
        usleep(5000);
        pthread_mutex_lock(&mutex);
        reload();
        f = fault_of(function, device_of(handle), false);
    }
    return f ? f->rc : SUCCESS;
}

static int leave(int rc) {
    pthread_mutex_unlock(&mutex);
    return rc;
}

#define ENTER(handle)                       \
    do {                                    \
        int rc_ = enter(__func__, handle);  \
        if (rc_) return leave(rc_);         \
        if (!initialised) return leave(UNINITIALIZED); \
    } while (0)

#define ENTER_DEVICE(handle, out)                                          \
    do {                                                                   \
        ENTER(handle);                                                     \
        if (!device_of(handle) || !(out)) return leave(INVALID_ARGUMENT);  \
    } while (0)

static int copy(const char *from, char *to, unsigned size) {
    if (strlen(from) >= size) {
        return INSUFFICIENT_SIZE;
    }
    memcpy(to, from, strlen(from) + 1);
    return SUCCESS;
}

API int nvmlInit_v2(void) {
    int rc = enter(__func__, NULL);
    if (rc) {
        return leave(rc);
    }
    if (!usable) {
        return leave(UNKNOWN);
    }
    initialised++;
    return leave(SUCCESS);
}

API int nvmlShutdown(void) {
    ENTER(NULL);
    initialised--;
    return leave(SUCCESS);
}

API int nvmlSystemGetDriverVersion(char *to, unsigned size) {
    ENTER(NULL);
    char text[64];
    snprintf(text, sizeof text, "stub %s", current.driver);
    return leave(to ? copy(text, to, size) : INVALID_ARGUMENT);
}

// As the real one does, this works before nvmlInit_v2.
API int nvmlSystemGetNVMLVersion(char *to, unsigned size) {
    int rc = enter(__func__, NULL);
    char text[64];
    snprintf(text, sizeof text, "stub 12.%s", current.driver);
    return leave(rc ? rc : to ? copy(text, to, size) : INVALID_ARGUMENT);
}

API int nvmlDeviceGetCount_v2(unsigned *count) {
    ENTER(NULL);
    *count = current.listed;
    return leave(SUCCESS);
}

API int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **handle) {
    ENTER(index < current.listed ? &current.devices[current.order[index]] : NULL);
    if (index >= current.listed) {
        return leave(INVALID_ARGUMENT);
    }
    *handle = &current.devices[current.order[index]];
    return leave(SUCCESS);
}

static void *find(const char *uuid) {
    for (unsigned i = 0; uuid && i < current.listed; i++) {
        struct device *d = &current.devices[current.order[i]];
        if (!strcmp(uuid, d->uuid)) {
            return d;
        }
        for (unsigned slot = 0; slot < MAX_SLOTS; slot++) {
            if (d->instances[slot].slices && !strcmp(uuid, d->instances[slot].uuid)) {
                return &d->instances[slot];
            }
        }
    }
    return NULL;
}

API int nvmlDeviceGetHandleByUUID(const char *uuid, void **handle) {
    ENTER(find(uuid));
    *handle = find(uuid);
    return leave(*handle ? SUCCESS : NOT_FOUND);
}

API int nvmlDeviceGetUUID(void *handle, char *to, unsigned size) {
    ENTER_DEVICE(handle, to);
    const struct instance *m = instance_of(handle);
    return leave(copy(m ? m->uuid : device_of(handle)->uuid, to, size));
}

API int nvmlDeviceGetName(void *handle, char *to, unsigned size) {
    ENTER_DEVICE(handle, to);
    const struct instance *m = instance_of(handle);
    char text[2 * TEXT];
    snprintf(text, sizeof text, m ? "%s MIG %s" : "%s", device_of(handle)->name, m ? m->profile : "");
    return leave(copy(text, to, size));
}

API int nvmlDeviceGetMinorNumber(void *handle, unsigned *minor) {
    ENTER_DEVICE(handle, minor);
    *minor = device_of(handle)->minor;
    return leave(SUCCESS);
}

API int nvmlDeviceGetPciInfo_v3(void *handle, nvmlPciInfo_t *pci) {
    ENTER_DEVICE(handle, pci);
    const struct device *d = device_of(handle);
    memset(pci, 0, sizeof *pci);
    sscanf(d->bus_id, "%x:%x:%x", &pci->domain, &pci->bus, &pci->device);
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", pci->domain & 0xffff, pci->bus & 0xff,
             pci->device & 0xff);
    snprintf(pci->busId, sizeof pci->busId, "%s", d->bus_id);
    pci->pciDeviceId = d->pci_id;
    return leave(SUCCESS);
}

static struct processes processes_of(const void *handle) {
    const struct instance *m = instance_of(handle);
    const struct device *d = device_of(handle);
    struct processes all = m ? m->processes : d->processes;
    if (current.scan) {
        processes_scan(m ? m->uuid : d->uuid, current.scan_memory_mib << 20, &all);
    }
    return all;
}

static void memory_of(const void *handle, unsigned long long *total, unsigned long long *used) {
    const struct instance *m = instance_of(handle);
    const struct processes all = processes_of(handle);
    *total = (m ? m->memory_mib : device_of(handle)->memory_mib) << 20;
    *used = (m ? 8 : device_of(handle)->used_mib) << 20;
    for (unsigned i = 0; i < all.count; i++) {
        *used += all.list[i].bytes;
    }
    *used = *used < *total ? *used : *total;
}

API int nvmlDeviceGetMemoryInfo(void *handle, nvmlMemory_t *memory) {
    ENTER_DEVICE(handle, memory);
    memory_of(handle, &memory->total, &memory->used);
    memory->used += RESERVED_BYTES;
    memory->free = memory->total > memory->used ? memory->total - memory->used : 0;
    return leave(SUCCESS);
}

#if QS_STUB_GENERATION >= 510
API int nvmlDeviceGetMemoryInfo_v2(void *handle, nvmlMemory_v2_t *memory) {
    ENTER_DEVICE(handle, memory);
    if (memory->version != (sizeof *memory | 2U << 24)) {
        return leave(memory->version == 2 ? FUNCTION_NOT_FOUND : ARGUMENT_VERSION_MISMATCH);
    }
    memory_of(handle, &memory->total, &memory->used);
    memory->reserved = RESERVED_BYTES;
    memory->free = memory->total > memory->used + RESERVED_BYTES ? memory->total - memory->used - RESERVED_BYTES : 0;
    return leave(SUCCESS);
}
#endif

static void put(unsigned char *to, size_t at, const void *from, size_t size) { memcpy(to + at, from, size); }

// Writes the fields of a record and nothing between them, as a driver may.
static void write_record(unsigned char *to, unsigned stride, const struct process *from) {
    unsigned none = NO_INSTANCE;
    unsigned long long zero = 0;
    put(to, 0, &from->pid, 4);
    put(to, 8, &from->bytes, 8);
    if (stride >= 24) {
        put(to, 16, &none, 4);
        put(to, 20, &none, 4);
    }
    if (stride >= 32) {
        put(to, 24, &zero, 8);
    }
}

static int list(const void *handle, enum process_kind kind, unsigned *count, unsigned char *infos, unsigned stride) {
    const struct processes all = processes_of(handle);
    stride = current.stride ? current.stride : stride;
    unsigned found = 0;
    for (unsigned i = 0; i < all.count; i++) {
        if (all.list[i].kind == kind) {
            if (infos && found < *count) {
                write_record(infos + (size_t)found * stride, stride, &all.list[i]);
            }
            found++;
        }
    }
    int rc = found > (infos ? *count : 0) ? INSUFFICIENT_SIZE : SUCCESS;
    *count = found;
    return rc;
}

#define PROCESS_LIST(name, kind, stride)                              \
    API int name(void *handle, unsigned *count, unsigned char *infos) { \
        ENTER_DEVICE(handle, count);                                  \
        return leave(list(handle, kind, count, infos, stride));       \
    }

PROCESS_LIST(nvmlDeviceGetComputeRunningProcesses, COMPUTE, sizeof(nvmlProcessInfo_v1_t))
PROCESS_LIST(nvmlDeviceGetGraphicsRunningProcesses, GRAPHICS, sizeof(nvmlProcessInfo_v1_t))
#if QS_STUB_GENERATION >= 470
PROCESS_LIST(nvmlDeviceGetComputeRunningProcesses_v2, COMPUTE, sizeof(nvmlProcessInfo_v2_t))
PROCESS_LIST(nvmlDeviceGetGraphicsRunningProcesses_v2, GRAPHICS, sizeof(nvmlProcessInfo_v2_t))
PROCESS_LIST(nvmlDeviceGetMPSComputeRunningProcesses_v2, MPS, sizeof(nvmlProcessInfo_v2_t))
#endif
#if QS_STUB_GENERATION >= 510
PROCESS_LIST(nvmlDeviceGetComputeRunningProcesses_v3, COMPUTE, sizeof(nvmlProcessInfo_v2_t))
PROCESS_LIST(nvmlDeviceGetGraphicsRunningProcesses_v3, GRAPHICS, sizeof(nvmlProcessInfo_v2_t))
PROCESS_LIST(nvmlDeviceGetMPSComputeRunningProcesses_v3, MPS, sizeof(nvmlProcessInfo_v2_t))
#endif

// A GPU of the data centre from GA100 on, by its PCI device id.
static bool knows_mig(const struct device *d) {
    unsigned family = d->pci_id >> 24;
    return family == 0x20 || family == 0x23 || family == 0x29;
}

#if QS_STUB_GENERATION >= 470
API int nvmlDeviceGetMigMode(void *handle, unsigned *now, unsigned *pending) {
    ENTER_DEVICE(handle, now);
    const struct device *d = device_of(handle);
    *now = d->mig;
    *pending = d->mig_pending;
    return leave(knows_mig(d) && !instance_of(handle) ? SUCCESS : NOT_SUPPORTED);
}

API int nvmlDeviceGetMaxMigDeviceCount(void *handle, unsigned *count) {
    ENTER_DEVICE(handle, count);
    *count = knows_mig(device_of(handle)) ? MAX_SLOTS - 1 : 0;
    return leave(SUCCESS);
}

API int nvmlDeviceGetMigDeviceHandleByIndex(void *handle, unsigned index, void **mig) {
    ENTER_DEVICE(handle, mig);
    struct device *d = device_of(handle);
    if (!d->mig || index >= MAX_SLOTS - 1) {
        return leave(INVALID_ARGUMENT);
    }
    *mig = &d->instances[index];
    return leave(d->instances[index].slices ? SUCCESS : NOT_FOUND);
}

API int nvmlDeviceGetAttributes_v2(void *handle, nvmlDeviceAttributes_t *attributes) {
    ENTER_DEVICE(handle, attributes);
    const struct instance *m = instance_of(handle);
    if (!m) {
        return leave(NOT_SUPPORTED);
    }
    memset(attributes, 0, sizeof *attributes);
    attributes->gpuInstanceSliceCount = attributes->computeInstanceSliceCount = m->slices;
    attributes->memorySizeMB = m->memory_mib;
    return leave(SUCCESS);
}

API int nvmlDeviceGetRemappedRows(void *handle, unsigned *corrected, unsigned *uncorrected, unsigned *pending, unsigned *failed) {
    ENTER_DEVICE(handle, pending);
    const struct device *d = device_of(handle);
    *corrected = 0;
    *uncorrected = d->remap_pending || d->remap_failed;
    *pending = d->remap_pending;
    *failed = d->remap_failed;
    return leave(d->pci_id >> 24 < 0x20 || d->mig ? NOT_SUPPORTED : SUCCESS);
}
#endif

API int nvmlDeviceGetFieldValues(void *handle, int count, nvmlFieldValue_t *values) {
    ENTER_DEVICE(handle, values);
    for (int i = 0; i < count; i++) {
        bool known = QS_STUB_GENERATION >= 570 && values[i].fieldId == FIELD_RECOVERY_ACTION;
        values[i].nvmlReturn = known ? SUCCESS : NOT_SUPPORTED;
        if (known) {
            values[i].valueType = TYPE_UNSIGNED_INT;
            values[i].value.uiVal = device_of(handle)->recovery;
        }
    }
    return leave(SUCCESS);
}

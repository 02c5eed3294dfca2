// The stand-in for NVML: what a configuration file says of the host, and the types of NVML that the stand-in answers with.
//
// It exists for hosts without a GPU: the demo and the tests load it through the very binding that loads the real library. It
// says what it is in its driver version ("stub ...") and in its device names ("... (stand-in)").
//
// QS_NVML_STUB_CONFIG names the file. It is read again whenever it has changed, at any call, so it must be replaced by rename.
// One statement a line, words apart by blanks, '#' starts a comment. A statement that is wrong is told on stderr with its line,
// and makes nvmlInit_v2 answer 999; at run time the last good configuration stays.
//
//   driver VERSION                 driver version, shown as "stub VERSION". Default 570.00
//   devices N                      number of GPUs, 0 to 32. Default 0
//   model h100|h200|a100|l40s|b200|v100|t4
//                                  what they are. Default h100
//   seed WORD                      the UUIDs follow from it and the number of the GPU. Default "stub"
//   order N...                     numbers of the GPUs in the order in which they are listed. Default 0 1 2 ...
//   stride 16|24|32                bytes of a process record, whatever the call expects. Default: what the call expects
//   scan_processes on|off          list the live processes of this host whose environment has QS_ATTEMPT_ID and names the device
//                                  in CUDA_VISIBLE_DEVICES, as if they used it. Default off
//   process_memory_mib N           memory of each such process. Default 1024
//   device N uuid UUID
//   device N name WORDS...         product name; " (stand-in)" is not added
//   device N pci_id HEX            PCI device id and vendor, such as 233010de
//   device N bus_id ID             such as 00000000:3B:00.0
//   device N minor N               /dev/nvidiaN
//   device N memory_mib N          total memory
//   device N used_mib N            memory in use while no process runs. Default 16
//   device N process PID [MIB]     a compute process
//   device N graphics_process PID [MIB]
//   device N mps_process PID [MIB]
//   device N mig SLOT:PROFILE...   MIG mode with these instances, such as 0:1g.10gb 2:3g.40gb; or the word none
//   device N mig_process SLOT PID [MIB]
//   device N mig_pending on|off    MIG mode after the next reset. Default: as now
//   device N recovery N            recovery action, field 230. Default 0
//   device N remapped pending|failed
//   device N hidden                it is not listed at all
//   fault [function NAME] [device N] [after CALLS] rc CODE|hang
//                                  calls of this function, on this GPU, after so many of them, answer CODE or do not return
//                                  until the fault is taken out of the file
#ifndef QS_NVML_STUB_H
#define QS_NVML_STUB_H

#include <stdbool.h>

// The driver generation whose set of functions the library exports: 440, 470, 510 or 570.
#ifndef QS_STUB_GENERATION
#define QS_STUB_GENERATION 570
#endif

enum { MAX_DEVICES = 32, MAX_SLOTS = 8, MAX_PROCESSES = 32, MAX_FAULTS = 32, TEXT = 96 };

enum process_kind { COMPUTE, GRAPHICS, MPS };

struct process {
    enum process_kind kind;
    unsigned pid;
    unsigned long long bytes;
};

struct processes {
    unsigned count;
    struct process list[MAX_PROCESSES];
};

// A MIG instance; it is there if slices is not 0.
struct instance {
    char uuid[TEXT];
    char profile[32];
    unsigned slices;
    unsigned memory_mib;
    struct processes processes;
};

struct device {
    char uuid[TEXT];
    char name[TEXT];
    char bus_id[32];
    unsigned pci_id;
    unsigned minor;
    unsigned long long memory_mib;
    unsigned long long used_mib;
    struct processes processes;
    bool mig;
    bool mig_pending;
    struct instance instances[MAX_SLOTS];
    unsigned recovery;
    bool remap_pending;
    bool remap_failed;
    bool hidden;
};

struct fault {
    char function[TEXT];   // empty: any
    int device;            // -1: any, and calls without a device
    unsigned after;        // calls that still go well
    bool hang;
    int rc;
    unsigned calls;        // seen so far
};

struct config {
    char driver[32];
    char seed[TEXT];
    unsigned count;
    struct device devices[MAX_DEVICES];
    unsigned listed;               // devices that are not hidden
    unsigned order[MAX_DEVICES];   // their numbers, as listed
    unsigned stride;               // 0: what the call expects
    bool scan;
    unsigned long long scan_memory_mib;
    unsigned fault_count;
    struct fault faults[MAX_FAULTS];
};

// Reads the file into *config. Tells what is wrong on stderr and returns false, and leaves *config in an undefined state.
bool config_read(const char *path, struct config *config);

// Adds the live processes that name this UUID (scan_processes above), up to the capacity.
void processes_scan(const char *uuid, unsigned long long bytes, struct processes *to);

#endif

#ifndef FORMICARY_CHOOSE
#define FORMICARY_CHOOSE
/* Before main: a child for each version of the program, a few at a time; what they come to is written down. Names of the
   system's functions are the program's own to use, so they are reached under others. */
extern int formicary_fork(void) __asm__("fork");
extern int formicary_wait4(int, int *, int, long *) __asm__("wait4");
extern int formicary_open(const char *, int, ...) __asm__("open");
extern long formicary_write(int, const void *, unsigned long) __asm__("write");
extern int formicary_dup2(int, int) __asm__("dup2");
extern int formicary_setitimer(int, const long *, long *) __asm__("setitimer");
extern int formicary_setrlimit(int, const unsigned long *) __asm__("setrlimit");
extern int formicary_setpgid(int, int) __asm__("setpgid");
extern int formicary_kill(int, int) __asm__("kill");
extern long formicary_time(long *) __asm__("time");
extern void formicary_exit(int) __asm__("_exit");

extern int formicary_mutant __asm__("formicary_mutant");
__attribute__((weak)) int formicary_mutant = 0;
extern int formicary_begun __asm__("formicary_begun");
__attribute__((weak)) int formicary_begun = 0;

static void formicary_confine(long micros) {
    unsigned long cores[2] = {0, 0};
    unsigned long cpu[2] = {3, 3};
    unsigned long space[2] = {1UL << 30, 1UL << 30};
    long used[4], passed[4];
    int nothing = formicary_open("/dev/null", 2);
    used[0] = used[2] = micros / 1000000;
    used[1] = used[3] = micros % 1000000;
    passed[0] = passed[2] = micros * 4 / 1000000 + 1;
    passed[1] = passed[3] = 0;
    formicary_setpgid(0, 0);
    formicary_setrlimit(4, cores);
    formicary_setrlimit(0, cpu);
#ifndef __SANITIZE_ADDRESS__
    formicary_setrlimit(9, space);
#else
    (void)space;
#endif
    formicary_dup2(nothing, 0);
    formicary_dup2(nothing, 1);
    formicary_dup2(nothing, 2);
    formicary_setitimer(2, used, 0);
    formicary_setitimer(0, passed, 0);
}

static void formicary_tell(int out, int mutant, int status) {
    char line[16];
    int length = 0, signal = status & 127, place = 1;
    while (mutant / place > 9) place *= 10;
    for (; place > 0; place /= 10) line[length++] = (char)('0' + mutant / place % 10);
    line[length++] = ' ';
    line[length++] = status == 0 ? 'p' : signal == 14 || signal == 27 || signal == 24 || signal == 9 ? 't' : 'f';
    line[length++] = '\n';
    if (formicary_write(out, line, (unsigned long)length) < 0) formicary_exit(70);
}

__attribute__((constructor)) static void formicary_choose(void) {
    int pids[@WORKERS@], mutants[@WORKERS@], running = 0, next = 0, at, slot, status, out;
    long usage[64], micros = 400000, until = formicary_time(0) + @SECONDS@;
    if (formicary_begun) return;
    formicary_begun = 1;
    out = formicary_open("/tmp/formicary-verdicts", 02 | 0100 | 02000, 0600);
    while (next <= @COUNT@ || running > 0) {
        int more = next <= @COUNT@ && formicary_time(0) < until;
        if (more && running < @WORKERS@ && !(next == 1 && running > 0)) {
            int pid = formicary_fork();
            if (pid == 0) {
                formicary_confine(next == 0 ? 2000000 : micros);
                formicary_mutant = next;
                return;
            }
            if (pid > 0) {
                pids[running] = pid;
                mutants[running++] = next++;
                continue;
            }
        }
        if (running == 0) break;
        at = formicary_wait4(-1, &status, 0, usage);
        for (slot = 0; slot < running; slot++) {
            if (pids[slot] != at) continue;
            if (mutants[slot] == 0 && status != 0) {
                long used = (usage[0] + usage[2]) * 1000000 + usage[1] + usage[3];
                if (used * 4 > micros) micros = used * 4 > 1500000 ? 1500000 : used * 4;
            }
            formicary_kill(-at, 9);
            formicary_tell(out, mutants[slot], status);
            running--;
            pids[slot] = pids[running];
            mutants[slot] = mutants[running];
            break;
        }
    }
    formicary_exit(0);
}
#endif

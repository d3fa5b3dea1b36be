#ifndef FORMICARY_HITS
#define FORMICARY_HITS
/* Writes down which places of the program were run; a zero ends what one check ran. */
extern int formicary_open(const char *, int, ...) __asm__("open");
extern long formicary_write(int, const void *, unsigned long) __asm__("write");
extern int formicary_file __asm__("formicary_file");
__attribute__((weak)) int formicary_file = -1;
extern char formicary_seen[65536] __asm__("formicary_seen");
__attribute__((weak)) char formicary_seen[65536] = {0};
extern void formicary_check(void) __asm__("formicary_check");

static void formicary_say(int place) {
    char line[16];
    int length = 0, power = 1;
    if (formicary_file < 0) formicary_file = formicary_open("/tmp/formicary-hits", 02 | 0100 | 02000, 0600);
    while (place / power > 9) power *= 10;
    for (; power > 0; power /= 10) line[length++] = (char)('0' + place / power % 10);
    line[length++] = '\n';
    if (formicary_write(formicary_file, line, (unsigned long)length) < 0) formicary_file = -1;
}

static inline void formicary_hit(int place) {
    if (place < 65536 && !formicary_seen[place]) {
        formicary_seen[place] = 1;
        formicary_say(place);
    }
}

__attribute__((weak)) void formicary_check(void) {
    int place;
    for (place = 0; place < 65536; place++) formicary_seen[place] = 0;
    formicary_say(0);
}
#endif

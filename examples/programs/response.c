/* Randomised response on every reward, with randomness of its own: nothing but the arms can be looked at.
   cc -o response response.c && banditproof audit --program ./response --epsilon 1.0986123 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double value_of(const char *line, const char *name) {
    const char *at = strstr(line, name);
    return at == NULL ? 0.0 : strtod(strchr(at, ':') + 1, NULL);
}

int main(void) {
    char line[4096];
    long score[2] = {0, 0};
    int arm = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strstr(line, "\"reset\"") != NULL) {
            srand48((long)value_of(line, "\"reset\""));
            score[0] = score[1] = 0;
            arm = 0;
        } else {
            int paid = value_of(line, "\"reward\"") > 0.5;
            int told = drand48() < 0.75 ? paid : !paid; /* the truth in three of four cases: epsilon = log 3 */
            score[arm] += told ? 1 : -1;
            arm = score[1] > score[0];
        }
        printf("{\"arm\": %d}\n", arm);
        fflush(stdout);
    }
    return 0;
}

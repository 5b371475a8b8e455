// Ordinary questions by the straightforward program: the name of a question, then its numbers.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
using std::vector;

// Nim-values of the subtraction game of a set, heap by heap.
static void subtraction(int most, const vector<int> &set) {
    vector<int> value(most + 1);
    for (int n = 0; n <= most; n++) {
        unsigned long long reached = 0;
        for (int taken : set)
            if (taken <= n) reached |= 1ull << value[n - taken];
        while (reached >> value[n] & 1) value[n]++;
        printf("%d %d\n", n, value[n]);
    }
}

// Nim-values of 4.[3]: take any number, or split the heap in two.
static void splits(int most) {
    vector<int> value(most + 1), seen(4 * most + 8, -1);
    for (int n = 0; n <= most; n++) {
        for (int left = 0; left < n; left++) seen[value[left]] = n;
        for (int a = 1; a <= n / 2; a++) seen[value[a] ^ value[n - a]] = n;
        while (seen[value[n]] == n) value[n]++;
        printf("%d %d\n", n, value[n]);
    }
}

static void nim(int most) {
    for (int n = 0; n <= most; n++) printf("%d %d\n", n, n);
}

// P-positions of Wythoff's game: each strikes out its column and its diagonal.
static void wythoff(int most) {
    vector<char> column(most + 1), diagonal(2 * most + 1);
    for (int a = 0; a <= most; a++)
        for (int b = 0; b <= most; b++)
            if (!column[b] && !diagonal[b - a + most]) {
                column[b] = diagonal[b - a + most] = 1;
                if (a <= b) printf("%d,%d\n", a, b);
                break;
            }
}

// P-positions where a move takes the same number from one, two or three of three heaps.
static void same_number(int most) {
    int side = most + 1;
    vector<char> one(side * side), two(side * side), three(side * side);
    for (int x = 0; x <= most; x++)
        for (int y = x; y <= most; y++) {
            if (one[x * side + y]) continue;
            for (int z = y; z <= most; z++) {
                char *marks[] = {&one[x * side + y],     &one[x * side + z],     &one[y * side + z],
                                 &two[x * side + z - y], &two[y * side + z - x], &two[z * side + y - x],
                                 &three[(y - x) * side + z - y]};
                bool reached = false;
                for (char *mark : marks) reached |= *mark;
                if (reached) continue;
                for (char *mark : marks) *mark = 1;
                printf("%d,%d,%d\n", x, y, z);
                break;
            }
        }
}

// Nim-values of Wythoff's game: the values of each row, column and diagonal.
static void wythoff_values(int most) {
    int side = most + 1, values = 2 * side;
    vector<char> column(side * values), diagonal((2 * most + 1) * values);
    for (int a = 0; a <= most; a++) {
        vector<char> row(values);
        for (int b = 0; b <= most; b++) {
            char *of_column = &column[b * values], *of_diagonal = &diagonal[(b - a + most) * values];
            int value = 0;
            while (row[value] || of_column[value] || of_diagonal[value]) value++;
            row[value] = of_column[value] = of_diagonal[value] = 1;
            if (a <= b) printf("%d,%d *%d\n", a, b, value);
        }
    }
}

int main(int count, char **words) {
    std::string question = words[1];
    int most = atoi(words[2]);
    vector<int> set;
    for (int i = 3; i < count; i++) set.push_back(atoi(words[i]));
    if (question == "subtraction") subtraction(most, set);
    if (question == "splits") splits(most);
    if (question == "nim") nim(most);
    if (question == "wythoff") wythoff(most);
    if (question == "same-number") same_number(most);
    if (question == "wythoff-values") wythoff_values(most);
}

/* Runs the target without libFuzzer: on each file of a folder, then on a given number of changed versions of them. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FILES_MAX = 64, BYTES_MAX = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
    uint8_t data[BYTES_MAX];
    size_t size;
} corpus[FILES_MAX];
static int files;

static void load(const char *folder)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL && files < FILES_MAX;) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "rb") : NULL;
        if (file != NULL) {
            corpus[files].size = fread(corpus[files].data, 1, BYTES_MAX, file);
            fclose(file);
            files++;
        }
    }
    if (directory != NULL)
        closedir(directory);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s folder changes [seed]\n", argv[0]);
        return 2;
    }
    load(argv[1]);
    unsigned int seed = argc > 3 ? (unsigned int)strtoul(argv[3], NULL, 10) : (unsigned int)time(NULL);
    printf("%d files, seed %u\n", files, seed);
    fflush(stdout); /* so that it is printed even if the target crashes */
    for (int i = 0; i < files; i++)
        LLVMFuzzerTestOneInput(corpus[i].data, corpus[i].size);
    srandom(seed);
    for (long change = strtol(argv[2], NULL, 10); change > 0 && files > 0; change--) {
        int from = (int)(random() % files);
        uint8_t data[BYTES_MAX];
        size_t size = corpus[from].size;
        for (size_t i = 0; i < size; i++)
            data[i] = corpus[from].data[i];
        for (long times = random() % 5; times > 0 && size > 0; times--)
            data[(size_t)random() % size] = (uint8_t)random();
        LLVMFuzzerTestOneInput(data, random() % 3 == 0 ? (size_t)random() % (size + 1) : size);
    }
    return files > 0 ? 0 : 1;
}

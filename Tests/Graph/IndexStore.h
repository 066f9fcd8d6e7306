// The functions of libIndexStore that the graph needs. The library comes with Swift and has the documentation:
// usr/local/include/indexstore/indexstore.h of a toolchain.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *data;
    size_t length;
} IndexText;

void *indexstore_store_create(const char *path, void **error);
bool indexstore_store_units_apply_f(void *store, unsigned sorted, void *context, bool (*body)(void *context, IndexText name));

void *indexstore_unit_reader_create(void *store, const char *name, void **error);
void indexstore_unit_reader_dispose(void *unit);
IndexText indexstore_unit_reader_get_main_file(void *unit);
bool indexstore_unit_reader_dependencies_apply_f(void *unit, void *context, bool (*body)(void *context, void *dependency));
int indexstore_unit_dependency_get_kind(void *dependency);
IndexText indexstore_unit_dependency_get_name(void *dependency);
IndexText indexstore_unit_dependency_get_filepath(void *dependency);

void *indexstore_record_reader_create(void *store, const char *name, void **error);
void indexstore_record_reader_dispose(void *record);
bool indexstore_record_reader_occurrences_apply_f(void *record, void *context, bool (*body)(void *context, void *occurrence));
void *indexstore_occurrence_get_symbol(void *occurrence);
uint64_t indexstore_occurrence_get_roles(void *occurrence);
IndexText indexstore_symbol_get_usr(void *symbol);
IndexText indexstore_symbol_get_name(void *symbol);

import type { Library } from '../service/library.ts'
import type { FileImport } from '../service/import-file.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of the library: lists, items, Trash and search. */
export const libraryHandlers = (
  library: Library,
  importFile: FileImport,
): Pick<
  Handlers,
  | 'library.list'
  | 'library.entries'
  | 'library.tags'
  | 'library.tag'
  | 'library.import'
  | 'library.summary'
  | 'library.rename'
  | 'library.remove'
  | 'library.restore'
  | 'library.purge'
  | 'library.search'
  | 'library.searchEntries'
> => ({
  'library.list': (query) => library.list(query),
  'library.entries': (query) => library.entries(query),
  'library.tags': () => ({ tags: library.tags() }),
  'library.tag': (change) => {
    library.tag(change)
    return {}
  },
  'library.import': (request) => importFile(request),
  'library.summary': ({ id }) => library.summary(id),
  'library.rename': ({ id, title }) => library.rename(id, title),
  'library.remove': async ({ ids }) => {
    await library.remove(ids)
    return {}
  },
  'library.restore': ({ ids }) => {
    library.restore(ids)
    return {}
  },
  'library.purge': async ({ ids }) => {
    await library.purge(ids)
    return {}
  },
  'library.search': (query) => library.search(query),
  'library.searchEntries': (query) => library.searchEntries(query),
})

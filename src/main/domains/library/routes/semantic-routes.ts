import type { Semantic } from '../service/semantic/semantic.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of semantic search in the Library: embedded on request, combined with keyword search. */
export const semanticHandlers = (
  semantic: Semantic,
): Pick<
  Handlers,
  | 'semantic.indexes'
  | 'semantic.plan'
  | 'semantic.begin'
  | 'semantic.resume'
  | 'semantic.pause'
  | 'semantic.stop'
  | 'semantic.remove'
  | 'semantic.search'
> => ({
  'semantic.indexes': () => semantic.indexes(),
  'semantic.plan': (choice) => semantic.plan(choice),
  'semantic.begin': (choice) => semantic.begin(choice),
  'semantic.resume': ({ id }) => semantic.resumeIndex(id),
  'semantic.pause': ({ id }) => semantic.pause(id),
  'semantic.stop': ({ id }) => semantic.stop(id),
  'semantic.remove': async ({ id }) => {
    await semantic.remove(id)
    return {}
  },
  'semantic.search': (query) => semantic.search(query),
})

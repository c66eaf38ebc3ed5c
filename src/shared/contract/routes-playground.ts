import { lazyRoutes, type Route } from './contract.ts'

const embeddings = lazyRoutes(async () => (await import('./embeddings.ts')).embeddings)
const rerank = lazyRoutes(async () => (await import('./rerank.ts')).rerank)
const runs = lazyRoutes(async () => (await import('./runs.ts')).runs)
const semantic = lazyRoutes(async () => (await import('./semantic.ts')).semantic)

/** Routes of the Playground's requests and saved data; a part of the table in `routes.ts`. */
export const playgroundRoutes = {
  'semantic.indexes': semantic.indexes, // semantic indexes of the Library, with new items
  'semantic.plan': semantic.plan, // estimate of an embedding
  'semantic.begin': semantic.begin,
  'semantic.resume': semantic.resume,
  'semantic.pause': semantic.pause,
  'semantic.stop': semantic.stop, // saves received vectors
  'semantic.remove': semantic.remove, // with its vectors
  'semantic.search': semantic.search, // semantic and keyword search
  'runs.operations': runs.operations, // available operations and their input fields
  'runs.start': runs.start, // any provider operation; all results are saved
  'runs.get': runs.get,
  'runs.list': runs.list,
  'runs.events': runs.events, // events of a stream so far
  'runs.raw': runs.raw,
  'runs.cancel': runs.cancel, // saves received data
  'runs.remove': runs.remove,
  'runs.rename': runs.rename,
  'runs.export': runs.export,
  'embeddings.plan': embeddings.plan, // estimated cost, and cached vectors
  'embeddings.start': embeddings.start, // embeds a file of texts
  'embeddings.resume': embeddings.resume, // sends only what is missing
  'embeddings.cancel': embeddings.cancel, // saves received vectors
  'embeddings.get': embeddings.get,
  'embeddings.list': embeddings.list,
  'embeddings.rename': embeddings.rename,
  'embeddings.remove': embeddings.remove, // to the Trash
  'embeddings.restore': embeddings.restore,
  'embeddings.query': embeddings.query, // vector of one more text
  'embeddings.items': embeddings.items, // writes Library texts to a file
  'embeddings.export': embeddings.export, // npy, csv, jsonl
  'rerank.start': rerank.start, // a query and candidates, saved with the results
  'rerank.resume': rerank.resume, // sends only what is missing
  'rerank.cancel': rerank.cancel,
  'rerank.get': rerank.get,
  'rerank.list': rerank.list,
  'rerank.rename': rerank.rename,
  'rerank.remove': rerank.remove, // to the Trash
  'rerank.restore': rerank.restore,
  'rerank.raw': rerank.raw, // raw response of one round
  'rerank.find': rerank.find, // Library passages as candidates
  'rerank.export': rerank.export, // csv, json, md
} as const satisfies Record<string, () => Promise<Route>>

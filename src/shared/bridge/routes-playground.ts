import type { Route } from './contract.ts'
import { embeddings } from './embeddings.ts'
import { rerank } from './rerank.ts'
import { runs } from './runs.ts'
import { semantic } from './semantic.ts'

/** Routes of the Playground's requests and saved data; a part of the table in `routes.ts`. */
export const playgroundRoutes = {
  'semantic.indexes': semantic.indexes, // of the Library by meaning, with what is new
  'semantic.plan': semantic.plan, // what embedding would send
  'semantic.begin': semantic.begin,
  'semantic.goOn': semantic.goOn,
  'semantic.pause': semantic.pause,
  'semantic.stop': semantic.stop, // keeps what came
  'semantic.remove': semantic.remove, // with its vectors
  'semantic.search': semantic.search, // by meaning and by words
  'runs.operations': runs.operations, // what can be run, and with which input
  'runs.start': runs.start, // any operation of the service, kept with all that comes of it
  'runs.get': runs.get,
  'runs.list': runs.list,
  'runs.events': runs.events, // what a stream brought so far
  'runs.raw': runs.raw, // the reply as received
  'runs.cancel': runs.cancel, // keeps what came
  'runs.remove': runs.remove,
  'runs.rename': runs.rename,
  'runs.export': runs.export,
  'embeddings.plan': embeddings.plan, // what it would cost, and what the cache has
  'embeddings.start': embeddings.start, // a file of texts into vectors
  'embeddings.goOn': embeddings.goOn, // with what is missing
  'embeddings.cancel': embeddings.cancel, // keeps what came
  'embeddings.get': embeddings.get,
  'embeddings.list': embeddings.list,
  'embeddings.rename': embeddings.rename,
  'embeddings.remove': embeddings.remove, // to the bin
  'embeddings.restore': embeddings.restore,
  'embeddings.query': embeddings.query, // the vector of one more text
  'embeddings.items': embeddings.items, // texts of the Library as a file
  'embeddings.export': embeddings.export, // npy, csv, jsonl
  'rerank.start': rerank.start, // a question and candidates, kept with what comes of them
  'rerank.goOn': rerank.goOn, // with what is missing
  'rerank.cancel': rerank.cancel,
  'rerank.get': rerank.get,
  'rerank.list': rerank.list,
  'rerank.rename': rerank.rename,
  'rerank.remove': rerank.remove, // to the bin
  'rerank.restore': rerank.restore,
  'rerank.raw': rerank.raw, // a reply as received
  'rerank.find': rerank.find, // passages of the Library as candidates
  'rerank.export': rerank.export, // csv, json, md
} as const satisfies Record<string, Route>

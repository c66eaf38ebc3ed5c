import type { Route } from './contract.ts'
import { responses } from './responses.ts'
import { slides } from './slides.ts'
import { tasks } from './tasks.ts'

/**
 * Routes of provider objects that are tracked by ID until they are available; a part of the table in `routes.ts`.
 */
export const watched = {
  'tasks.create': tasks.create, // an asynchronous task, asked for until it is done
  'tasks.watch': tasks.watch, // one that was created elsewhere, by its id
  'tasks.list': tasks.list,
  'tasks.get': tasks.get, // with its result
  'tasks.raw': tasks.raw, // the reply as received
  'tasks.pack': tasks.pack, // its files as one archive
  'tasks.rename': tasks.rename,
  'tasks.forget': tasks.forget,
  'tasks.restore': tasks.restore,
  'tasks.refresh': tasks.refresh, // asks now
  'tasks.retry': tasks.retry, // files that are missing
  'responses.fetch': responses.fetch, // stored Responses by their ids
  'responses.list': responses.list,
  'responses.get': responses.get, // as it was read, now or then
  'responses.raw': responses.raw, // the reply as received
  'responses.refresh': responses.refresh, // asks now
  'responses.rename': responses.rename,
  'responses.remove': responses.remove,
  'responses.restore': responses.restore,
  'slides.fetch': slides.fetch, // a conversation with the slides agent by its id
  'slides.list': slides.list,
  'slides.get': slides.get, // with the files that are kept
  'slides.raw': slides.raw, // the reply as received
  'slides.refresh': slides.refresh, // asks now
  'slides.retry': slides.retry, // files that are missing
  'slides.pack': slides.pack, // its files as one archive
  'slides.rename': slides.rename,
  'slides.remove': slides.remove,
  'slides.restore': slides.restore,
} as const satisfies Record<string, Route>

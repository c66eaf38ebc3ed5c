import { lazyRoutes, type Route } from './contract.ts'

const responses = lazyRoutes(async () => (await import('./responses.ts')).responses)
const slides = lazyRoutes(async () => (await import('./slides.ts')).slides)
const tasks = lazyRoutes(async () => (await import('./tasks.ts')).tasks)

/**
 * Routes of provider objects that are tracked by ID until they are available; a part of the table in `routes.ts`.
 */
export const watched = {
  'tasks.create': tasks.create, // creates a task and polls it until done
  'tasks.watch': tasks.watch, // tracks a task created elsewhere, by ID
  'tasks.list': tasks.list,
  'tasks.get': tasks.get, // with its result
  'tasks.raw': tasks.raw,
  'tasks.pack': tasks.pack, // archive of its files
  'tasks.rename': tasks.rename,
  'tasks.forget': tasks.forget,
  'tasks.restore': tasks.restore,
  'tasks.refresh': tasks.refresh, // polls now
  'tasks.retry': tasks.retry, // missing files
  'responses.fetch': responses.fetch, // stored Responses, by ID
  'responses.list': responses.list,
  'responses.get': responses.get, // newest or earlier version
  'responses.raw': responses.raw,
  'responses.refresh': responses.refresh, // fetches it again now
  'responses.rename': responses.rename,
  'responses.remove': responses.remove,
  'responses.restore': responses.restore,
  'slides.fetch': slides.fetch, // chat with the slides agent, by ID
  'slides.list': slides.list,
  'slides.get': slides.get, // with the saved files
  'slides.raw': slides.raw,
  'slides.refresh': slides.refresh, // fetches it again now
  'slides.retry': slides.retry, // missing files
  'slides.pack': slides.pack, // archive of its files
  'slides.rename': slides.rename,
  'slides.remove': slides.remove,
  'slides.restore': slides.restore,
} as const satisfies Record<string, () => Promise<Route>>

// What other domains use of this one.

export type { Runs } from './service/runs/runs.ts'
export {
  fetchImage,
  ownHost,
  fetchNamed,
  type FetchImageDeps,
} from './service/saved-files/fetch-image.ts'
export { createRest, fetchFailure } from './service/saved-files/fetch-retries.ts'
export type { Tasks } from './service/tasks/tasks.ts'

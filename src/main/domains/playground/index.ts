// What other domains use of this one.

export type { Runs } from './service/runs/runs.ts'
export {
  fetchImage,
  ownHost,
  fetchNamed,
  type FetchImageDeps,
} from './service/saved-files/fetch-image.ts'
export {
  addDownloads,
  fetchFailure,
  type Downloads,
  type DownloadsDeps,
} from './service/saved-files/downloads.ts'

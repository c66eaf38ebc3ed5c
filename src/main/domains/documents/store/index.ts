// What other domains use of this one's stores; workers load it without the services.

export { blockId, type BlockRow } from './documents-rows.ts'
export { indexStale, markAllStale, rowsAtOnce, currentBlocks } from './documents-search.ts'

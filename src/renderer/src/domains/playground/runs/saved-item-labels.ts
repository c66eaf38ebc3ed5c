/** Sections of the Playground that save their requests, each with a Trash. */
export type SavedLocation = 'embeddings' | 'rerank'

/** Label keys of each section in the catalog. */
export const savedItemLabels = {
  embeddings: {
    place: 'playground.places.embeddings',
    title: 'embeddings.title',
    runs: 'embeddings.runs',
    empty: 'embeddings.empty',
    new: 'embeddings.new',
    bin: 'embeddings.bin',
    leaveBin: 'embeddings.leaveBin',
    inBin: 'embeddings.inBin',
    remove: 'embeddings.remove',
  },
  rerank: {
    place: 'playground.places.rerank',
    title: 'rerank.title',
    runs: 'rerank.runs',
    empty: 'rerank.empty',
    new: 'rerank.new',
    bin: 'rerank.bin',
    leaveBin: 'rerank.leaveBin',
    inBin: 'rerank.inBin',
    remove: 'rerank.remove',
  },
} as const satisfies Readonly<Record<SavedLocation, object>>

/** Knowledge bases: the list and the parts of the place. */
export const knowledge = {
  knowledge: {
    parts: 'Part of Knowledge',
    part: { bases: 'Bases', retrieval: 'Retrieval', slices: 'Slices' },
    search: 'Search knowledge bases',
    refresh: 'Fetch the list again',
    empty: 'No knowledge bases yet.',
    emptySearch: 'No knowledge base fits.',
    documents: 'empty | 1 document | {n} documents',
    words: 'no words | 1 word | {n} words',
    running: 'none being read | 1 being read | {n} being read',
    failed: 'none failed | 1 failed | {n} failed',
    gone: { deleted: 'Deleted', unlisted: 'No longer listed' },
    none: 'Knowledge bases',
    noneText:
      'Documents in a knowledge base are cut into slices that the service finds by meaning, for answers that name their sources.',
  },
}

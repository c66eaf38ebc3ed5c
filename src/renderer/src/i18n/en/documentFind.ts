/** The search in an opened document, what lists say of documents, and their queue. */
export const documentFind = {
  documentFind: {
    label: 'Search in this document',
    found: '{n} of {total}',
    notFound: 'Nothing found',
    reading: 'Searching…',
    failed: 'It could not be searched',
    nothing: 'It can be searched once it is parsed',
    noWords: 'This file has no text of its own: it can be searched once it is parsed',
    inBlocks: 'in the parsed text',
    inPart: 'in the parsed text, {n} of {all} pages',
    inFile: 'in the text of the file',
    toBlocks: 'Search the parsed text instead',
    toFile: 'Search the text of the file instead',
    previous: 'Previous hit',
    next: 'Next hit',
    close: 'Close the search',
  },
  documentRow: {
    locked: 'Password needed',
    unparsed: 'Not parsed',
    queued: 'Queued, {n} page | Queued, {n} page | Queued, {n} pages',
    running: 'Parsing, {n} of {all}',
    failed: '{n} page failed | {n} page failed | {n} pages failed',
    stopped: '{n} page not parsed | {n} page not parsed | {n} pages not parsed',
  },
}

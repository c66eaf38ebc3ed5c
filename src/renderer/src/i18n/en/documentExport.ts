/** Options of a document export. */
export const documentExport = {
  documentExport: {
    title: 'Export document',
    pagesHint: 'Example: 1-3, 7, 20-',
    pageMarks: 'Mark page breaks',
    highlights: 'Highlights and notes',
    details: 'Parsing details',
    dpi: 'Image resolution',
    dots: '{n} dpi',
    margin: 'Image padding',
  },
}

/** What is asked when a document is given out. */
export const documentExport = {
  documentExport: {
    pages: 'Pages',
    allPages: 'All',
    pagesHint: 'For example 1-3, 7, 20-.',
    pageMarks: 'Say where each page begins',
    dpi: 'Resolution of pictures',
    dots: '{n} dpi',
    margin: 'Room around pictures',
  },
}

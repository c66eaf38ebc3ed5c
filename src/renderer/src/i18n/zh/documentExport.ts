/** What is asked when a document is given out. */
export const documentExport = {
  documentExport: {
    pages: '页面',
    allPages: '全部',
    pagesHint: '例如 1-3, 7, 20-。',
    pageMarks: '标出每页的开头',
    dpi: '图片分辨率',
    dots: '{n} dpi（每英寸点数）',
    margin: '图片四周留白',
  },
}

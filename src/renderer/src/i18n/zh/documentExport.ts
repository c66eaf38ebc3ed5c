/** 导出文档的选项。 */
export const documentExport = {
  documentExport: {
    title: '导出文档',
    pagesHint: '例如：1-3, 7, 20-',
    pageMarks: '标出分页',
    highlights: '高亮和笔记',
    details: '解析详情',
    dpi: '图片分辨率',
    dots: '{n} dpi',
    margin: '图片留白',
  },
}

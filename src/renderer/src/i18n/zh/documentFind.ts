/** 在打开的文档中查找；列表中文档的状态；排队。 */
export const documentFind = {
  documentFind: {
    label: '在此文档中查找',
    found: '第 {n} 处，共 {total} 处',
    notFound: '未找到',
    reading: '正在查找…',
    failed: '无法查找',
    nothing: '解析之后才能查找',
    noWords: '此文件本身没有文字，解析之后才能查找',
    inBlocks: '在解析的文字中',
    inPart: '在解析的文字中（{n} / {all} 页）',
    inFile: '在文件自带的文字中',
    toBlocks: '改为查找解析的文字',
    toFile: '改为查找文件自带的文字',
    previous: '上一处',
    next: '下一处',
    close: '关闭查找',
  },
  documentRow: {
    locked: '需要密码',
    unparsed: '尚未解析',
    queued: '排队中，共 {n} 页',
    running: '正在解析，{n} / {all} 页',
    failed: '{n} 页失败',
    stopped: '{n} 页未解析',
  },
}

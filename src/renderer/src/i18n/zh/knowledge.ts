/** 知识库：列表与各个部分。 */
export const knowledge = {
  knowledge: {
    parts: '知识库的部分',
    part: { bases: '知识库', retrieval: '检索', slices: '切片' },
    search: '搜索知识库',
    refresh: '重新获取列表',
    empty: '还没有知识库。',
    emptySearch: '没有符合的知识库。',
    documents: '空 | 1 个文档 | {n} 个文档',
    words: '没有字 | 1 字 | {n} 字',
    running: '没有正在读取 | 1 个正在读取 | {n} 个正在读取',
    failed: '没有失败 | 1 个失败 | {n} 个失败',
    gone: { deleted: '已删除', unlisted: '服务不再列出' },
    none: '知识库',
    noneText: '知识库中的文档被切成片段，服务按含义查找它们，使回答能指明来源。',
  },
}

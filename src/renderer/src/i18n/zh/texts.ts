import type { Messages } from '../messages.ts'

/** 文本列表的来源。 */
export const texts: Pick<Messages, 'texts'> = {
  texts: {
    takeOut: '移除文本 {n}',
    from: '文本来源',
    paste: '粘贴',
    file: '文件',
    library: '资料库',
    pasted: '文本',
    pasteHint: '在此粘贴或输入文本',
    split: '切分方式',
    lines: '每行一条',
    paragraphs: '以空行分隔',
    preview: '将加入的内容',
    andMore: '没有更多 | 还有 1 条 | 还有 {n} 条',
    add: '加入 | 加入 1 条 | 加入 {n} 条',
    chooseFile: '选择文件…',
    fileKinds: 'txt、md、csv 或 jsonl；也可拖到这里',
    column: '列',
    field: '字段',
    header: '第一行是列名',
    noRows: '按这种方式，此文件中没有文本。',
    broken: '没有无法读取的行 | 有 1 行不是 JSON，已略去。 | 有 {n} 行不是 JSON，已略去。',
    trouble: {
      large: '此文件大于 64 MB，不适合作为文本列表。',
      binary: '此文件不含文本。',
      unreadable: '无法读取此文件，请重新选择。',
    },
    findInLibrary: '在资料库中查找段落',
    libraryHint: '含有所查词语的完整段落，供您挑选。',
    noHits: '资料库中没有含这些词语的内容。',
    hits: '段落',
    allHits: '全部 {n} 条',
    moreHits: '还有更多：请缩小查找范围。',
  },
}

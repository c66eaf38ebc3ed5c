import type { Messages } from '../messages.ts'

/** 向列表添加文本。 */
export const texts: Pick<Messages, 'texts'> = {
  texts: {
    removeText: '移除文本 {n}',
    from: '来源',
    paste: '粘贴',
    file: '文件',
    library: '资料库',
    pasted: '文本',
    pasteHint: '粘贴或输入文本',
    split: '切分方式',
    lines: '按行',
    paragraphs: '按空行',
    preview: '预览',
    andMore: '还有 {n} 条',
    add: '添加 {n} 条',
    chooseFile: '选择文件…',
    fileKinds: 'TXT、MD、CSV 或 JSONL',
    column: '列',
    field: '字段',
    header: '首行为列名',
    noRows: '按当前设置未找到文本。',
    broken: '{n} 行不是 JSON，已跳过。',
    trouble: {
      large: '文件超过 64 MB。',
      binary: '文件中没有文本。',
      unreadable: '无法读取文件，请重新选择。',
    },
    findInLibrary: '搜索资料库',
    noHits: '资料库中没有结果。',
    hits: '切片',
    allHits: '全选（{n} 条）',
    moreHits: '结果未全部显示，请缩小搜索范围。',
  },
}

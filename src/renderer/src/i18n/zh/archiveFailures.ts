import type { FailureWords } from '../en/failureWords.ts'

/** Failures of archives, by code; part of `errors`. */
export const archiveFailures = {
  ARCHIVE_DAMAGED: {
    what: '“{file}”已损坏。',
    plain: '归档已损坏。',
    truncated: '“{file}”不完整。',
    sum: '“{file}”中的“{entry}”校验不一致。',
    damaged: '“{file}”已损坏。',
    data: '没有导入任何内容。',
    todo: '请重新复制或导出归档。',
  },
  ARCHIVE_REFUSED: {
    what: '无法导入“{file}”。',
    plain: '无法导入归档。',
    foreign: '“{file}”不是 Lectern 归档。',
    packed: '“{file}”由其他程序打包。',
    encrypted: '“{file}”中的“{entry}”已加密。',
    path: '“{file}”中的“{entry}”路径不安全。',
    twice: '“{file}”中有两个“{entry}”。',
    case: '“{file}”中有两个仅大小写不同的“{entry}”。',
    link: '“{file}”中的“{entry}”是链接或设备文件。',
    overlap: '“{file}”中的数据有重叠，或未在清单中列出。',
    bomb: '“{file}”解压后超出声明的大小。',
    manifest: '“{file}”中的“{entry}”与清单不一致。',
    database: '“{file}”中的“{entry}”不是 Lectern 资料库。',
    unknown: '不支持“{file}”中的资料库版本。',
    data: '没有导入任何内容。',
    todo: '请使用来源可信的原始归档。',
  },
  ARCHIVE_FROM_FUTURE: {
    what: '“{file}”需要更高版本的 Lectern。',
    plain: '此归档需要更高版本的 Lectern。',
    data: '没有导入任何内容。',
    todo: '请先更新 Lectern，再导入归档。',
  },
  WORK_UNDER_WAY: {
    what: '还有录音、请求或回答正在进行。',
    archive: '正在导出或导入归档。',
    data: '未做任何更改。',
    todo: '请等待完成，或先停止，然后重试。',
  },
} satisfies Readonly<Record<string, FailureWords>>

import type { FailureWords } from '../en/errors.ts'

/** What the reader is told about archives and what stands in their way, by code; part of `errors`. */
export const archiveFailures = {
  ARCHIVE_DAMAGED: {
    what: '“{file}”已损坏。',
    plain: '这个归档已损坏。',
    truncated: '“{file}”不完整，在结尾之前就断了。',
    sum: '“{file}”中的“{entry}”与打包时的内容不一致。',
    damaged: '“{file}”已损坏：内容与目录不一致。',
    data: '没有导入其中任何内容，您的资料库没有改动。',
    todo: '请从制作处重新复制归档，或在那里重新导出。',
  },
  ARCHIVE_REFUSED: {
    what: '不能导入“{file}”。',
    plain: '不能导入这个归档。',
    foreign: '“{file}”不是 Lectern 的归档。',
    packed: '“{file}”由其他程序打包。',
    encrypted: '“{file}”中的“{entry}”已加密。',
    path: '“{file}”中的“{entry}”不是 Lectern 会使用的名称：它可能指向文件夹之外。',
    twice: '“{entry}”在“{file}”中出现了两次。',
    case: '“{file}”中的“{entry}”与另一个名称仅大小写不同。',
    link: '“{file}”中的“{entry}”是链接或设备，不是文件。',
    overlap: '“{file}”中有不属于任何文件、或同属两个文件的内容。',
    bomb: '“{file}”展开后会远远大于它声明的大小。',
    manifest: '“{file}”中的“{entry}”与归档自己的说明不一致。',
    database: '“{file}”中的“{entry}”不是 Lectern 写的资料库。',
    unknown: '“{file}”中的资料库版本 Lectern 不认识。',
    data: '没有导入其中任何内容，您的资料库没有改动。',
    todo: '请使用 Lectern 写出的原始归档，不要解开后重新打包。如果它来自他人，请不要信任它。',
  },
  ARCHIVE_FROM_FUTURE: {
    what: '“{file}”由更新版本的 Lectern 写出。',
    plain: '这个归档由更新版本的 Lectern 写出。',
    data: '没有导入其中任何内容，您的资料库没有改动。',
    todo: '请先在这里更新 Lectern，再导入归档。',
  },
  WORK_UNDER_WAY: {
    what: '现在正在录音、发送或回答。',
    archive: '现在正在写入或导入归档文件。',
    data: '已有的内容安全无改动。',
    todo: '请等待完成，或先停止，然后再试。',
  },
} satisfies Readonly<Record<string, FailureWords>>

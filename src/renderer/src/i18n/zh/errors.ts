import { archiveFailures } from './archiveFailures.ts'
const kept = '已有的内容安全无改动。'
const file = '没有丢失任何内容：文件和文字都在资料库中。'
const yours = '您自己的文件没有改动。'

/** What the reader is told by code: what happened, what it means for the data, what to do. */
const words = {
  BAD_REQUEST: {
    what: 'Lectern 向自己提出了不被接受的请求。',
    named: '请检查“{what}”：{reason}',
    unreadable: '“{piece}”不是页码。',
    zero: '“{piece}”不是有效页码，页码从 1 开始。',
    beyond: '“{piece}”超出了最后一页（第 {pages} 页）。',
    data: kept,
    todo: '请更正所填内容。如果没有填写过内容，请复制详情并反馈。',
  },
  ROUTE_NOT_FOUND: {
    what: '本页与正在运行的 Lectern 版本不一致。',
    data: kept,
    todo: '请重新载入页面，或重新启动 Lectern。',
  },
  INTERNAL: {
    what: 'Lectern 内部出了问题。',
    data: kept,
    todo: '请再试一次。如仍如此，请复制详情并反馈。',
  },
  CANCELLED: { what: '已停止。', data: '之前得到的内容已保留。', todo: '可以随时重新运行。' },
  NOT_FOUND: { what: '它已不存在。', data: '其他内容没有改变。', todo: '它可能在回收站中。' },
  REFUSED: {
    what: '现在不能这样做。',
    imported: '这个问题的附件只是导入的文件里提到的，不会发送。请编辑问题，再重新附上。',
    data: kept,
    todo: '如果它正在处理中，请等待完成。',
  },
  LEFT_UNFINISHED: {
    what: '它还在运行时，Lectern 被关闭或意外结束了。',
    data: '之前得到的内容已保留，并标为不完整。',
    todo: '请重新运行。如果它会在服务上新建内容，请先查看是否已经建好。',
  },
  NO_KEY: {
    what: '该账户没有密钥。',
    data: file,
    todo: '请在“设置”的“服务账户”中添加密钥，或改用“本机”，然后重试。',
  },
  KEY_REJECTED: {
    what: '服务没有接受密钥。',
    data: '密钥仍然保存着，其他内容没有改变。',
    todo: '请确认密钥完整、属于该服务且未过期，然后更换。',
  },
  PERMISSION_DENIED: {
    what: '该密钥没有此权限。',
    data: kept,
    todo: '请在服务方申请权限，或使用其他账户。',
  },
  QUOTA_EXHAUSTED: {
    what: '账户的额度或余额已用完。',
    data: file,
    todo: '请在服务方充值，或换用其他账户，然后重试。',
  },
  KEYCHAIN_UNAVAILABLE: {
    what: '无法使用此系统的钥匙串。',
    data: '密钥只保留在内存中，直到 Lectern 关闭，从不写入文件。',
    todo: '请启动钥匙串服务，再次保存密钥即可长期保留。',
  },
  KEYCHAIN_LOCKED: {
    what: '钥匙串已锁定。',
    data: '其中的密钥是安全的，只是 Lectern 现在读不到。',
    todo: '请解锁钥匙串后再试。',
  },
  BASE_URL_REFUSED: {
    what: '不允许使用这个基础 URL。',
    data: '没有发送任何内容。',
    todo: '请使用 https（http 仅限本机），其中不含用户名、密码、? 和 #。',
  },
  OFFLINE: {
    what: '无法到达服务。',
    data: '已有的内容照常可读、可搜索、可播放。',
    todo: '等待中的工作会在网络恢复后自行继续。如果其他网站正常，请检查代理和基础 URL。',
  },
  TIMEOUT: {
    what: '服务应答太慢。',
    data: '之前得到的内容已保留。',
    todo: '请再试一次。减少每次的内容或换个时间可能有帮助。',
  },
  TLS_UNTRUSTED: {
    what: '服务的证书不受信任。',
    data: '没有发送任何内容，密钥也没有。',
    todo: '如果您的网络会检查流量，请在“设置”的“网络”中指定其证书颁发机构。',
  },
  STREAM_CUT: {
    what: '应答中途断开了。',
    data: '已收到的文字保留下来，并标为不完整。',
    todo: '请重试，完整的文字会取代这一部分。',
  },
  MALFORMED_REPLY: {
    what: '服务的应答无法读取。',
    data: kept,
    todo: '请检查基础 URL：它可能指向网页或登录门户。然后再试。',
  },
  REDIRECTED: {
    what: '服务让调用转到另一个地址，Lectern 不会带着您的密钥跟过去。',
    data: '密钥只发送到了基础 URL。',
    todo: '请在账户中填入正确的基础 URL。',
  },
  RATE_LIMITED: {
    what: '服务要求等待 {seconds} 秒。',
    plain: '服务要求暂停一下：短时间内调用太多。',
    data: file,
    todo: '它会自行继续。减少并发调用数（“设置”“高级”）会有帮助。',
  },
  OVERLOADED: { what: '服务繁忙。', data: file, todo: '请几分钟后再试。' },
  SERVER_ERROR: {
    what: '服务自身出错了。',
    data: file,
    todo: '请再试一次。如仍如此，请把请求 ID 提供给服务方的支持。',
  },
  INVALID_INPUT: {
    what: '服务没有接受这个请求。',
    named: '{what}：此处不能是 {value}。',
    data: file,
    todo: '详情中有原因。请改正所提的请求；如果请求没有问题，请查看“设置 › 服务账户 › 高级”中的字段名。',
  },
  MODEL_UNKNOWN: {
    what: '服务不认识这个模型。',
    data: file,
    todo: '请检查“高级”中的模型 ID 前缀和模型 ID。',
  },
  CONTEXT_TOO_LONG: {
    what: '附带的文字对模型来说太长。',
    data: file,
    todo: '请缩短上下文后重新识别。',
  },
  CONTENT_BLOCKED: {
    what: '服务拒绝了这段内容。',
    data: '您的内容原样保留在本机。',
    todo: '请用其他账户或“本机”处理。',
  },
  NOT_IMPLEMENTED: { what: '该服务不能这样做。', data: kept, todo: '请使用其他账户。' },
  SERVICE_NOT_FOUND: {
    what: '服务在这个地址没有内容。',
    data: kept,
    todo: '请检查所填的编号，它可能已不存在。如果什么都不行，请检查账户的基础 URL。',
  },
  SERVICE_FAILED: {
    what: '服务报告它失败了。',
    data: file,
    todo: '详情中有它的说明。请再试一次。',
  },
  FILE_TOO_LARGE: {
    what: '这个文件有 {value}，最多能发送 {limit}。',
    plain: '这个文件太大，最多能发送 {limit}。',
    data: '如果已添加，它会留在资料库中。您自己的文件没有改动。',
    todo: '请分成几份，或存得更小：音频存为 mp3，图片存为 JPEG。',
  },
  AUDIO_TOO_LONG: {
    what: '这段录音长 {value}，最多能识别 {limit}。',
    plain: '这段录音太长，最多能识别 {limit}。',
    data: '它留在资料库中并可播放。',
    todo: '请切成不超过 {limit} 的片段再导入。',
  },
  UNSUPPORTED_FORMAT: {
    what: '此处不接受这种文件（看起来是 {kind}）。',
    named: '此处不接受这种文件：{name}。',
    plain: '此处不接受这种文件。',
    foreign: '这个 JSON 里没有 Lectern 写出的对话或会议。',
    newer: '这个 JSON 由更新版本的 Lectern 写出（格式版本 {version}）。',
    data: yours,
    todo: '音频须为 WAV 或 MP3（会议还可用 M4A、MP4、MOV、OGG、WebM、FLAC），文档须为 PDF，图片须为 PNG、JPEG、TIFF、HEIC、WebP、AVIF、GIF 或 BMP。请存为其中一种后再试。',
  },
  DAMAGED_FILE: {
    what: '文件已损坏，或者不是文件名所说的格式。',
    line: '这个 JSON 在第 {line} 行损坏或中断。',
    field: '这个 JSON 内容不完整：“{field}”缺失或不符合要求。',
    over: '这个 JSON 内容过多：“{field}”最多 {limit}。',
    data: yours,
    todo: '请重新获取这个文件，或用它自己的程序打开后重新保存。',
  },
  EMPTY_FILE: { what: '这个文件是空的。', data: yours, todo: '请选择其他文件。' },
  NO_SOUND: { what: '这个文件里没有声音。', data: yours, todo: '请选择带有音轨的文件。' },
  PROTECTED_SOUND: {
    what: '这个文件的声音受版权保护，无法读取。',
    data: yours,
    todo: '请选择没有版权保护的文件。',
  },
  FILE_MISSING: {
    what: 'Lectern 的数据文件夹中缺少一个文件。',
    data: '文字不受影响。',
    todo: '请再次导入该文件，它会回到原处。',
  },
  LIMIT_EXCEEDED: {
    what: '{what}：{value}，最多允许 {limit}。',
    under: '{what}：{value}，至少需要 {limit}。',
    plain: '这超出了服务的限制。',
    data: '没有发送任何内容。',
    todo: '请修改后再试。若该主机的限制不同，可在“高级”中填写。',
  },
  ...archiveFailures,
  DISK_FULL: {
    what: '磁盘已满。',
    room: '磁盘空间不足：需要 {bytes}，可用 {free}。',
    data: '之前保存的内容是安全的；这一次没有保存。',
    todo: '请腾出磁盘空间后再试。',
  },
  READ_ONLY: {
    what: 'Lectern 以只读方式打开。',
    data: '没有改动任何内容。',
    todo: '请在数据文件夹可写的地方启动 Lectern。',
  },
  DATABASE_DAMAGED: {
    what: '数据库已损坏。',
    data: 'Lectern 保有备份，并会把损坏的文件放到一边。',
    todo: '请重新启动 Lectern：它会恢复最近的完好备份。',
  },
  DATABASE_FROM_FUTURE: {
    what: '数据库由更新版本的 Lectern 写入。',
    data: '它以只读方式打开，其中内容不会改动。',
    todo: '请更新 Lectern。',
  },
  DATABASE_BUSY: {
    what: '另一个程序占用着数据库。',
    data: kept,
    todo: '请关闭另一个 Lectern 或备份程序后再试。',
  },
  ENGINE_UNAVAILABLE: {
    what: '本机引擎不可用。',
    data: file,
    todo: '请重新启动 Lectern。如仍如此，请再次运行安装步骤：模型可能缺失。',
  },
}

/** Failures by code, and the words of their panel. */
export const errors = {
  errors: words,
  failure: {
    details: '详情',
    code: '代码',
    message: '消息',
    status: 'HTTP 状态',
    serviceCode: '服务代码',
    serviceMessage: '服务消息',
    requestId: '请求 ID',
    logId: '日志 ID',
    time: '时间',
    copy: '复制详情',
  },
}

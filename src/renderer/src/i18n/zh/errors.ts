import { archiveFailures } from './archiveFailures.ts'
import { saveFailures } from './saving.ts'

const safe = '没有丢失任何内容。'
const partial = '部分结果已保存。'

/** Texts of a failure by code: what happened, what it means for the data, what to do. */
const words = {
  BAD_REQUEST: {
    what: 'Lectern 内部出错。',
    named: '请检查“{what}”：{reason}',
    unreadable: '“{piece}”不是有效的页码。',
    zero: '“{piece}”无效，页码从 1 开始。',
    beyond: '“{piece}”超出最后一页（第 {pages} 页）。',
    todo: '请检查输入，或反馈问题。',
  },
  ROUTE_NOT_FOUND: { what: '页面版本已过期。', todo: '请刷新页面或重启 Lectern。' },
  INTERNAL: {
    what: 'Lectern 内部出错。',
    data: safe,
    todo: '请重试，或反馈问题。',
  },
  CANCELLED: { what: '已停止。', data: partial, todo: '可以重新运行。' },
  NOT_FOUND: { what: '此项目已不存在。', todo: '可能已移到回收站。' },
  REFUSED: {
    what: '当前无法执行此操作。',
    otherOrigin: '输入 API 密钥期间，此账户的接口地址已更改。',
    otherOriginTodo: '请检查接口地址，然后重新输入 API 密钥。',
    caDataFolder: '证书文件位于 Lectern 的数据文件夹中。',
    caDataFolderTodo: '请选择其他文件夹中的文件。',
    caNetworkPath: '证书文件不在本机上。',
    caNetworkPathTodo: '请将文件复制到本机，再重新选择。',
    caSize: '文件超过 1 MB，或不是普通文件。',
    caSizeTodo: '请选择 PEM 或 DER 文件。',
    caUnreadable: '无法读取证书文件。',
    caUnreadableTodo: '请确认文件存在，并且你有权读取。',
    caContent: '文件中没有有效的证书。',
    caContentTodo: '请选择 PEM 或 DER 文件。',
    answering: '此对话中还有回答未完成。',
    answeringTodo: '请等待完成，或停止该回答。',
    otherWindow: '另一个 Lectern 窗口正在录音，请先在那里停止。',
    imported: '导入的文件不含这个附件，请重新添加。',
    remoteAddress: '网址无效。',
    remoteScheme: 'Lectern 只加载 http 和 https 网址。',
    remoteCredentials: 'Lectern 不加载含有用户名或密码的网址。',
    remotePort: 'Lectern 不加载使用非标准端口的网址。',
    remoteHost: '此网址指向私有网络，Lectern 只加载公网网址。',
    remoteRedirects: '此网址重定向次数过多。',
    remoteType: '此网址返回的文件类型与预期不符。',
    todo: '如果有任务正在进行，请等待完成。',
  },
  LEFT_UNFINISHED: {
    what: 'Lectern 在完成前退出了。',
    data: partial,
    todo: '请先确认服务商处是否已有结果，再重新运行。',
  },
  NO_KEY: {
    what: '此账户没有 API 密钥。',
    todo: '请在“设置 > 账户”中添加 API 密钥，或改用“本机”。',
  },
  KEY_REJECTED: {
    what: '服务商拒绝了 API 密钥。',
    todo: '请检查 API 密钥是否完整、是否过期。',
  },
  PERMISSION_DENIED: {
    what: '此 API 密钥没有相应权限。',
    todo: '请向服务商申请权限，或使用其他账户。',
  },
  QUOTA_EXHAUSTED: {
    what: '账户的额度或余额已用完。',
    data: safe,
    todo: '请向服务商充值，或换用其他账户，然后重试。',
  },
  KEYCHAIN_UNAVAILABLE: {
    what: '无法使用系统钥匙串。',
    data: 'API 密钥仅在内存中保留到 Lectern 关闭。',
    todo: '请启动钥匙串服务，然后重新保存 API 密钥。',
  },
  KEYCHAIN_LOCKED: {
    what: '钥匙串已锁定。',
    data: '没有丢失任何内容。',
    todo: '请解锁钥匙串，然后重试。',
  },
  BASE_URL_REFUSED: {
    what: '不允许使用这个接口地址。',
    todo: '请使用 https（http 仅限本机），不要包含用户名、密码、? 和 #。',
  },
  OFFLINE: {
    what: '无法连接到服务商。',
    data: '资料库离线可用。',
    todo: '网络恢复后，排队的任务会自动继续。如果网络正常，请检查代理和接口地址。',
  },
  TIMEOUT: {
    what: '服务商响应超时。',
    data: partial,
    todo: '请减少内容，或稍后重试。',
  },
  TLS_UNTRUSTED: {
    what: '服务商的证书不受信任。',
    data: '没有发送任何内容。',
    todo: '如果网络会检查流量，请在“设置 > 网络”中添加证书颁发机构。',
  },
  STREAM_CUT: { what: '响应中断。', data: partial, todo: '请重试以获取完整内容。' },
  ANSWER_TOO_LONG: {
    what: '回答超过 {limit}，已截断。',
    plain: '回答过长，已截断。',
    data: partial,
    todo: '请要求更短的回答。',
  },
  MALFORMED_REPLY: {
    what: '无法读取服务商的响应。',
    todo: '请检查接口地址是否指向了网页。',
  },
  REDIRECTED: {
    what: '服务商将请求重定向到了其他地址。为保护 API 密钥，Lectern 已停止请求。',
    todo: '请更正账户的接口地址。',
  },
  RATE_LIMITED: {
    what: '请求过于频繁，请等待 {seconds} 秒。',
    plain: '请求过于频繁，已被服务商限流。',
    data: safe,
    todo: '请稍后重试，或在设置中降低并发数。',
  },
  OVERLOADED: { what: '服务商繁忙。', data: safe, todo: '请几分钟后重试。' },
  SERVER_ERROR: {
    what: '服务商内部出错。',
    data: safe,
    todo: '请重试。如果问题仍然存在，请把详情发给服务商。',
  },
  INVALID_INPUT: {
    what: '服务商拒绝了请求。',
    named: '{what}：不能是 {value}。',
    todo: '原因见详情。如果使用自定义服务商，请检查 API 字段名。',
  },
  MODEL_UNKNOWN: {
    what: '服务商没有这个模型。',
    todo: '请选择其他模型，或在“设置 > 账户”中检查模型 ID。',
  },
  CONTEXT_TOO_LONG: { what: '上下文超出模型长度上限。', todo: '请缩短后重试。' },
  CONTENT_BLOCKED: { what: '服务商拦截了此内容。', todo: '请使用其他账户或“本机”。' },
  NOT_IMPLEMENTED: { what: '此账户不支持这项功能。', todo: '请使用其他账户。' },
  SERVICE_NOT_FOUND: {
    what: '服务商没有找到请求的内容。',
    todo: '请检查 ID。如果所有请求都失败，请检查账户的接口地址。',
  },
  SERVICE_FAILED: {
    what: '服务商返回了错误。',
    data: safe,
    todo: '请重试。原因见详情。',
  },
  FILE_TOO_LARGE: {
    what: '文件大小为 {value}，上限为 {limit}。',
    plain: '文件过大，上限为 {limit}。',
    todo: '请拆分，或存为 MP3 或 JPEG。',
  },
  AUDIO_TOO_LONG: {
    what: '录音时长为 {value}，上限为 {limit}。',
    plain: '录音过长，上限为 {limit}。',
    data: '录音已在资料库中。',
    todo: '请拆分为不超过 {limit} 的片段再导入。',
  },
  UNSUPPORTED_FORMAT: {
    what: '不支持此文件类型（{kind}）。',
    named: '不支持此文件类型：{name}。',
    plain: '不支持此文件类型。',
    foreign: '这个 JSON 文件不是 Lectern 的对话或会议。',
    newer: '这个 JSON 文件来自更高版本的 Lectern（格式版本 {version}）。',
    todo: '请存为 MP3、PDF 或 PNG 后重试。',
  },
  DAMAGED_FILE: {
    what: '文件已损坏，或扩展名不正确。',
    start: '{kind} 文件的开头已损坏。',
    mp3: 'MP3 文件已损坏，没有找到音频。',
    mixed: 'MP3 文件已损坏，混有不同格式的音频。',
    format: 'WAV 文件已损坏，无法读取文件头。',
    'no-format': 'WAV 文件已损坏，文件头不完整。',
    'no-data': 'WAV 文件已损坏，没有音频数据。',
    line: 'JSON 文件在第 {line} 行损坏或中断。',
    field: 'JSON 文件无效：“{field}”缺失或类型不正确。',
    over: 'JSON 文件过大：“{field}”的上限为 {limit}。',
    memory: '读取此文件所需的内存超出上限（{limit} MB）。',
    time: '读取此文件的时间超出上限（{limit} 秒）。',
    todo: '请重新下载，或用原来的应用重新保存。',
  },
  EMPTY_FILE: { what: '文件是空的。', todo: '请选择其他文件。' },
  NO_SOUND: { what: '文件中没有音频。', todo: '请选择带有音轨的文件。' },
  PROTECTED_SOUND: { what: '音频受版权保护，无法读取。', todo: '请选择没有版权保护的文件。' },
  FILE_MISSING: {
    what: 'Lectern 的数据文件夹中缺少一个文件。',
    data: '文字不受影响。',
    todo: '请重新导入该文件以恢复。',
  },
  FILE_UNREADABLE: {
    what: '无法读取文件。',
    todo: '请确认文件存在、没有被其他应用占用，并且你有权读取。',
  },
  LIMIT_EXCEEDED: {
    what: '{what}：{value}，上限为 {limit}。',
    pixels: '这张图片有 {value} 像素，Lectern 最多可打开 {limit} 像素的图片。',
    pixelsTodo: '请缩小图片后重试。',
    under: '{what}：{value}，下限为 {limit}。',
    plain: '超出服务商的限制。',
    todo: '请修改，或在“设置 > 账户”中调整限制。',
  },
  ...archiveFailures,
  DISK_FULL: {
    what: '磁盘已满。',
    room: '磁盘空间不足：需要 {bytes}，可用 {free}。',
    data: '本次内容未保存，之前保存的内容不受影响。',
    todo: '请腾出磁盘空间，然后重试。',
  },
  ...saveFailures,
  READ_ONLY: {
    what: '资料库为只读。',
    todo: '请将 Lectern 的数据文件夹设为可写，然后重启 Lectern。',
  },
  DATABASE_DAMAGED: {
    what: '数据库已损坏。',
    data: '损坏的文件已隔离。',
    todo: '请重启 Lectern，恢复最近的备份。',
  },
  DATABASE_FROM_FUTURE: {
    what: '资料库由更高版本的 Lectern 保存。',
    data: '已以只读方式打开。',
    todo: '请更新 Lectern。',
  },
  DATABASE_TOO_OLD: {
    what: '此数据库由 Lectern 的测试版本写入。',
    data: '文件没有改动。',
    todo: '请用写入它的版本打开。',
  },
  DATABASE_BUSY: {
    what: '数据库正被其他程序占用。',
    todo: '请关闭其他正在运行的 Lectern 和备份程序，然后重试。',
  },
  ENGINE_UNAVAILABLE: {
    what: '本机引擎不可用。',
    data: safe,
    todo: '请重启 Lectern，或重新运行安装步骤。',
  },
}

/** Failures by code, and the labels of their panel. */
export const errors = {
  errors: words,
  failure: {
    details: '详情',
    code: '代码',
    message: '消息',
    status: 'HTTP 状态',
    serviceCode: '服务商错误代码',
    serviceMessage: '服务商消息',
    requestId: '请求 ID',
    logId: '日志 ID',
    time: '时间',
    copy: '复制详情',
  },
}

/** 解析文档的账户，以及页面发送到哪里。 */
export const documentParse = {
  documentParse: {
    by: '账户',
    only: '账户：{account}',
    here: '内容不会离开本机。',
    localhost: '页面会发送到本机上的 {host}。',
    remote: '页面会发送到 {host}。',
    keyless: '请先添加 API 密钥。',
  },
}

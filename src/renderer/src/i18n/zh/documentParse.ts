/** 由谁解析文档；在发送之前说明。 */
export const documentParse = {
  documentParse: {
    by: '解析者',
    only: '由{account}解析。',
    here: '内容不会离开本机。引擎：{engine}。',
    beside: '页面会发送到本机上的程序 {host}，模型为 {model}。',
    away: '页面会离开本机，发送到 {host}，模型为 {model}。',
    keyless: '此账户还没有密钥，页面会等到有密钥时再发送。',
  },
}

/** 关注的任务及其结果，以及回复中的文件，中文。 */
export const tasks = {
  tasks: {
    find: '搜索任务',
    noneFound: '没有符合的任务。',
    idsHint: '可以是一个或多个 ID，也可以是包含 ID 的网址或 JSON。按回车开始关注。',
    watchMany: '关注 {n} 个任务',
    filtered: '已过滤：{role}，等级 {level}（0 最严重）',
    mcpLists: '{server} 列出它的工具',
    mcpCall: '{server} 运行 {name}',
    mcpOutput: '返回内容',
    standings: {
      running: '处理中',
      done: '已完成',
      failed: '失败',
      needsYou: '需要处理',
    },
    ends: {
      stop: '正常结束。',
      tool_calls: '以调用工具结束。',
      length: '被截断：达到 token 上限。',
      sensitive: '被内容审核中止。',
      network_error: '模型在回答时出错。',
      model_context_window_exceeded: '被截断：对话超出了模型能读的长度。',
    },
  },
  kept: {
    kept: '已保留',
    waiting: '正在获取 {name}…',
    missing: '缺少 {name}',
    gone: '链接已过期，或文件已不存在。',
    refused: '该地址的内容与回复所说不符，或该地址不允许访问。',
    video: '视频 {n}',
    picture: '图片 {n}',
    sound: '语音回答',
  },
}

/** 回答中的标签：代码、表格、图表、公式和引用。 */
export const chatAnswer = {
  chatAnswer: {
    source: '来源 {n}',
    playFrom: '从 {time} 播放',
    table: '表格',
    code: '代码',
    copy: '复制',
    copied: '已复制',
    fold: '收起',
    diagram: {
      name: '图表',
      source: '源码',
      long: '图表过长，无法显示',
      reach: '无法显示此图表：含有外部内容或自定义样式',
      wrong: '无法显示此图表',
    },
    imageAway: '未加载外部图片。',
    formula: {
      long: '公式过长，无法显示',
      deep: '公式过大，无法显示',
      wrong: '无法显示此公式',
    },
  },
}

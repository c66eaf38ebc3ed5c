/** 回答正文周围的文字：代码、表格、公式和引用标记。 */
export const chatAnswer = {
  chatAnswer: {
    source: '来源 {n}',
    table: '表格',
    code: '代码',
    copy: '复制',
    copied: '已复制',
    fold: '折叠',
    diagram: {
      name: '图表',
      source: '源码',
      long: '图表过长，无法绘制。',
      reach: '图表要求加载外部内容或自定外观，因此不绘制。',
      wrong: '无法识别此图表。',
    },
    pictureAway: '不加载位于别处的图片。',
    formula: {
      long: '公式过长，无法绘制。',
      deep: '公式展开后过大，无法绘制。',
      wrong: '无法识别此公式。',
    },
  },
}

/** 回答正文周围的文字：代码、表格、公式和引用标记。 */
export const chatAnswer = {
  chatAnswer: {
    source: '来源 {n}',
    table: '表格',
    code: '代码',
    copy: '复制',
    pictureAway: '不加载位于别处的图片。',
    formula: {
      long: '公式过长，无法绘制。',
      deep: '公式展开后过大，无法绘制。',
      wrong: '无法识别此公式。',
    },
  },
}

import type { BlockFields } from './made.ts'

/** LaTeX formulas, and the symbols that any reader of the exported document must show for each. */
export const richFormulas: readonly { readonly tex: string; readonly signs: string }[] = [
  {
    tex: String.raw`x_{1,2}=\frac{-b\pm\sqrt{b^2-4ac}}{2a}`,
    signs: 'x1,2=−b±√b2−4ac2a',
  },
  {
    tex: String.raw`\frac{1}{1+\frac{1}{1+\frac{\sqrt[3]{x^2+1}}{y_{n+1}}}}`,
    signs: '11+11+3√x2+1yn+1',
  },
  {
    tex: String.raw`\sum_{i=1}^{n}\frac{i^2}{\sqrt{i+1}}=\prod_{k=0}^{m}\left(1+\frac{x}{k}\right)`,
    signs: '∑i=1ni2√i+1=∏k=0m(1+xk)',
  },
  {
    tex: String.raw`A=\begin{pmatrix}a_{11}&\cdots&a_{1n}\\ \vdots&\ddots&\vdots\\ a_{m1}&\cdots&a_{mn}\end{pmatrix}`,
    signs: 'A=(a11⋯a1n⋮⋱⋮am1⋯amn)',
  },
  {
    tex: String.raw`f(x)=\begin{cases}x^2 & x>0\\ -x & \text{sonst}\end{cases}`,
    signs: 'f(x)={x2x>0−xsonst',
  },
  {
    tex: String.raw`\int_{0}^{\infty}e^{-x^2}\,dx=\frac{\sqrt{\pi}}{2}\le\lim_{t\to\infty}\hat{\alpha}\,\vec{v}`,
    signs: '∫0∞e−x2dx=√π2≤limt→∞^α⃗v',
  },
]

/** A document with everything that exports support: text in two scripts, lists, tables with spans, formulas, images, notes. */
export const richPages: readonly (readonly BlockFields[])[] = [
  [
    { label: 'doc_title', content: 'On the Shape of Waves 论波的形状' },
    {
      content:
        'The quick brown fox measures **every wave** with $E=mc^2$ and *patience*; 每一个波都有自己的长度，见第二章。',
    },
    { label: 'paragraph_title', content: '## 1 Methods 方法' },
    { content: '- first lamp\n- second lamp\n  - inner lamp\n\n1. eins\n2. zwei\n3. drei' },
    { content: 'Footnotes are small words.^1 They cost 5$ and 6$ each, a < b & c > d.' },
    { label: 'footnote', content: '1. A note at the foot of the page, 脚注一则。' },
    { label: 'image', content: 'A lighthouse 灯塔', id: 'lighthouse' },
  ],
  [
    { label: 'paragraph_title', content: '## 2 Results 结果' },
    {
      label: 'table',
      content: `<table><thead><tr><th rowspan="2">Harbour 港口</th><th colspan="2">Waves 波</th><th>Note</th></tr>
<tr><th>low</th><th>high</th><th>=1+1</th></tr></thead>
<tbody><tr><td rowspan="2">Bergen</td><td>1.5</td><td>12</td><td>$\\frac{a}{b}$</td></tr>
<tr><td colspan="2">calm 平静</td><td>@home</td></tr>
<tr><td>Qingdao 青岛</td><td>-3</td><td>+4</td><td>-cmd</td></tr></tbody></table>`,
    },
    { content: 'Words between the table and the formulas 之间的文字.' },
    ...richFormulas.map(({ tex }) => ({ label: 'formula', content: `$$${tex}$$` })),
  ],
]

/** Texts that every reader must find, in this order, regardless of spaces and lines. */
export const richWords: readonly string[] = [
  'On the Shape of Waves 论波的形状',
  'The quick brown fox measures every wave with',
  'and patience; 每一个波都有自己的长度，见第二章。',
  '1 Methods 方法',
  'first lamp',
  'second lamp',
  'inner lamp',
  'eins',
  'zwei',
  'drei',
  'Footnotes are small words.^1 They cost 5$ and 6$ each, a < b & c > d.',
  'A note at the foot of the page, 脚注一则。',
  'A lighthouse 灯塔',
  '2 Results 结果',
  'Harbour 港口 Waves 波 Note',
  'Words between the table and the formulas 之间的文字.',
]

/** Cells of the table; a merged one is at its first position. */
export const richCells: readonly (readonly string[])[] = [
  ['Harbour 港口', 'Waves 波', '', 'Note'],
  ['', 'low', 'high', '=1+1'],
  ['Bergen', '1.5', '12', String.raw`\frac{a}{b}`],
  ['', 'calm 平静', '', '@home'],
  ['Qingdao 青岛', '-3', '+4', '-cmd'],
]
/** Its merged cells: text, columns, rows. */
export const richSpans: readonly (readonly [words: string, columns: number, rows: number])[] = [
  ['Harbour 港口', 1, 2],
  ['Waves 波', 2, 1],
  ['Bergen', 1, 2],
  ['calm 平静', 2, 1],
]

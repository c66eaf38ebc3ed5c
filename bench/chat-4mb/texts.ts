/** A section of an answer, about 1.2 KB: headings, Chinese and English prose, formulas, a list, code, a table. */
function section(at: number): string {
  const prose = `The value of item ${at} follows from the *first* measurement, and is **stable** over ${at % 90} runs, see [the note](https://example.com/${at}). `
  return `## Section ${at}

${prose}${prose}With $x_{${at}} = \\frac{a}{b + ${at}}$ it holds for all of them.

第 ${at} 节的结论：根据测量结果，该数值在多次运行中保持**稳定**，与 \`item${at}\` 一致<reference data-ref="${(at % 9) + 1}"></reference>。另见下表。

- the first point of ${at}
- the second point, with \`code\` and *more*
- 第三点：数值为 ${at}

\`\`\`ts
export function item${at}(value: number): string {
  const text = String(value + ${at})
  // What is even is written twice.
  return value % 2 === 0 ? text + text : text
}
\`\`\`

| name | value | 说明 |
| --- | ---: | --- |
| a${at} | ${at} | 第一行 |
| b${at} | ${at * 2} | 第二行 |

$$
\\sum_{k=0}^{${at}} \\frac{k^2}{k + 1} = y_{${at}}
$$

`
}

const bytes = (text: string): number => new TextEncoder().encode(text).length

/** Mixed text of at least the given number of UTF-8 bytes. */
export function mixedText(minChars: number): string {
  const parts: string[] = []
  for (let at = 0, size = 0; size < minChars; at++) {
    const part = section(at)
    parts.push(part)
    size += bytes(part)
  }
  return parts.join('')
}

function repeated(head: string, line: (at: number) => string, minChars: number): string {
  const lines = [head]
  for (let at = 0, size = 0; size < minChars; at++) {
    const one = line(at)
    lines.push(one)
    size += one.length
  }
  return lines.join('')
}

/** One unfinished block of at least the given number of characters. */
export const oneBlock = {
  fence: (minChars: number) =>
    repeated(
      '```ts\n',
      (at) => `const value${at} = compute(${at}, 'text ${at}') // a line\n`,
      minChars,
    ),
  list: (minChars: number) =>
    repeated('', (at) => `- item ${at} with *some* words and \`code\` in it\n`, minChars),
  table: (minChars: number) =>
    repeated(
      '| a | b | c |\n|---|---|---|\n',
      (at) => `| cell ${at} | **two** | \`three\` |\n`,
      minChars,
    ),
} as const

/** The continuation of each block. */
export const goesOn = {
  fence:
    "const next = compute(1, 'text') // one more\nconst after = compute(2, 'text') // two more\n",
  list: '- one more item with *words*\n- and another one, with `code` in it\n',
  table: '| one more | **row** | `of it` |\n| and | another | one |\n',
} as const

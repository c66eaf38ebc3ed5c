import { Parser } from 'htmlparser2'

/** An element of MathML. */
export interface MathElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly MathElement[]
  /** Text of elements without children. */
  readonly text: string
}

/** Parses MathML written by KaTeX into a tree. */
export function parseMathMl(source: string): MathElement {
  const root = { name: '', attributes: {}, children: [] as MathElement[], text: '' }
  const stack = [root]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const made = { name, attributes, children: [], text: '' }
        stack.at(-1)?.children.push(made)
        stack.push(made)
      },
      onclosetag() {
        stack.pop()
      },
      ontext(text) {
        const open = stack.at(-1)
        if (open) open.text += text
      },
    },
    { xmlMode: true },
  )
  parser.end(source)
  return root
}

/** Maximum number of characters of a diagram's source. */
const maxLetters = 8000

/** Reason why a diagram is shown as its source. */
export type DiagramProblem = 'long' | 'reach' | 'wrong'

/** A diagram as an image in which nothing runs or loads, or the reason why there is none. */
type DrawnDiagram =
  | { readonly ok: true; readonly svg: Blob; readonly width: number; readonly height: number }
  | { readonly ok: false; readonly why: DiagramProblem }

/** Draws diagrams from their source, one after the other. */
export interface Diagrams {
  draw(source: string, dark: boolean): Promise<DrawnDiagram>
}

/** Syntax with which a diagram could load something during layout in the page, or imitate something else. */
const reaching =
  /%%\{|@import|url\s*\(|image-set|\\|\b(?:img|icon|src|href|xlink)\s*[:=]|<\s*\/?\s*(?!br\b)[a-z!]|#\d+;|&#/i

/** Whether a Gantt chart excludes days, or lasts very long: it is laid out day by day, which blocks for minutes. */
const endless = (source: string): boolean =>
  /^\s*gantt\b/m.test(source) && /\bexcludes\b|\d{5,}\s*[a-z]/i.test(source)

/** Creates it; its large library is loaded with the first diagram. */
export function createDiagrams(): Diagrams {
  let count = 0
  let before: Promise<unknown> = Promise.resolve()
  const draw = async (source: string, dark: boolean): Promise<DrawnDiagram> => {
    const { default: mermaid } = await import('mermaid')
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      // The default, elk, is not shipped.
      layout: 'dagre',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      suppressErrorRendering: true,
      theme: dark ? 'dark' : 'neutral',
      fontFamily: 'sans-serif',
      maxTextSize: maxLetters,
    })
    count += 1
    const { svg } = await mermaid.render(`md-diagram-${count}`, source)
    const [, width = '', height = ''] =
      /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
    if (Number(width) === 0 || Number(height) === 0) return { ok: false, why: 'wrong' }
    // As an image it has no container to fill.
    const sized = svg.replace(/ width="100%"/, ` width="${width}" height="${height}"`)
    return {
      ok: true,
      svg: new Blob([sized], { type: 'image/svg+xml' }),
      width: Math.ceil(Number(width)),
      height: Math.ceil(Number(height)),
    }
  }
  return {
    draw(source, dark) {
      if (source.length > maxLetters || endless(source))
        return Promise.resolve({ ok: false, why: 'long' })
      if (reaching.test(source) || /^\s*---/.test(source))
        return Promise.resolve({ ok: false, why: 'reach' })
      const drawn = before.then(() =>
        draw(source, dark).catch((): DrawnDiagram => ({ ok: false, why: 'wrong' })),
      )
      before = drawn
      return drawn
    },
  }
}

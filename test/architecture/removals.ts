import ts from 'typescript'
import type { Source } from './tree.ts'

const names: ReadonlySet<string> = new Set(['rm', 'rmSync'])

/**
 * Returns removals that fail while Windows keeps a file open, as `file:line what`: without the options of `removal`, or awaited
 * in a `finally`, where a failure would replace the result of the operation.
 */
export function roughRemovals({ path, code }: Source): string[] {
  const found: string[] = []
  const visit = (node: ts.Node, isLast: boolean): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      names.has(node.expression.text)
    ) {
      const line = code.getLineAndCharacterOfPosition(node.getStart(code)).line + 1
      const isPatient = node.arguments[1]?.getText(code).includes('removal') === true
      if (!isPatient) found.push(`${path}:${line} removes without \`removal\``)
      if (isLast && ts.isAwaitExpression(node.parent))
        found.push(`${path}:${line} removes in a finally without \`discard\``)
    }
    ts.forEachChild(node, (child) =>
      visit(child, isLast || (ts.isTryStatement(node) && child === node.finallyBlock)),
    )
  }
  visit(code, false)
  return found
}

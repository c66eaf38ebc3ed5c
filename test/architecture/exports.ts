import ts from 'typescript'
import type { Source } from './tree.ts'

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)

/** The names a statement exports; re-exports and `export default` name nothing of their own. */
function namesOf(node: ts.Statement): string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.map((each) => each.name.getText())
  if (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  )
    return node.name ? [node.name.text] : []
  return []
}

/** Exports without a doc comment directly above them, as `file:line name`. An overload shares the comment of its first form. */
export function undocumentedExports(source: Source): string[] {
  const documented = new Set<string>()
  const missing: string[] = []
  for (const node of source.code.statements) {
    if (!isExported(node)) continue
    const names = namesOf(node)
    if (ts.getJSDocCommentsAndTags(node).length > 0) {
      for (const name of names) documented.add(name)
      continue
    }
    const line = source.code.getLineAndCharacterOfPosition(node.getStart()).line + 1
    for (const name of names)
      if (!documented.has(name)) missing.push(`${source.path}:${line} ${name}`)
  }
  return missing
}

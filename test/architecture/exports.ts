import { posix } from 'node:path'
import ts from 'typescript'
import type { Source } from './tree.ts'

/** Stands for all exports of a file: `import * as`, `import()`. */
const all = '*'

const hasModifier = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((each) => each.kind === kind) === true

const namesIn = (name: ts.BindingName): readonly string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((each) => (ts.isBindingElement(each) ? namesIn(each.name) : []))

/** Returns the names that a file exports. */
function exportedBy({ code }: Source): readonly string[] {
  return code.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause
      return clause && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : []
    }
    if (
      !hasModifier(statement, ts.SyntaxKind.ExportKeyword) ||
      hasModifier(statement, ts.SyntaxKind.DefaultKeyword)
    )
      return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
    const { name } = statement as ts.DeclarationStatement
    return name ? [name.text] : []
  })
}

/** Returns the file or package that a node imports, with the names that it takes from there. */
function importedBy(node: ts.Node): { from: ts.Node; names: readonly string[] } | null {
  if (ts.isImportDeclaration(node)) {
    const bindings = node.importClause?.namedBindings
    if (!bindings) return null
    const names = ts.isNamedImports(bindings)
      ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
      : [all]
    return { from: node.moduleSpecifier, names }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    const names =
      node.exportClause && ts.isNamedExports(node.exportClause)
        ? node.exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
        : [all]
    return { from: node.moduleSpecifier, names }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    let { qualifier } = node
    while (qualifier && ts.isQualifiedName(qualifier)) qualifier = qualifier.left
    return { from: node.argument.literal, names: [qualifier?.text ?? all] }
  }
  const [argument] = ts.isCallExpression(node) ? node.arguments : []
  return argument &&
    ts.isCallExpression(node) &&
    node.expression.kind === ts.SyntaxKind.ImportKeyword
    ? { from: argument, names: [all] }
    : null
}

/** Returns the exports that no other file imports: `src/shared/links.ts: linkPattern`. */
export function unusedExports(sources: readonly Source[]): string[] {
  const used = new Set<string>()
  for (const { path, code } of sources) {
    const visit = (node: ts.Node): void => {
      const found = importedBy(node)
      if (found && ts.isStringLiteralLike(found.from)) {
        const target = found.from.text.replace(/\?.*$/, '')
        const file = posix.join(posix.dirname(path), target)
        for (const name of found.names) used.add(`${file}: ${name}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(code)
  }
  return sources.flatMap((source) =>
    used.has(`${source.path}: ${all}`)
      ? []
      : exportedBy(source)
          .map((name) => `${source.path}: ${name}`)
          .filter((name) => !used.has(name)),
  )
}

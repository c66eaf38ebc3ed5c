import { posix } from 'node:path'
import ts from 'typescript'
import type { Source } from './tree.ts'

/** Import of a file, static or dynamic. */
export interface Import {
  readonly from: string
  /** Repository path of a relative import, otherwise the package: `vue`, `@napi-rs/keyring`, `node:fs`. */
  readonly to: string
  readonly isPackage: boolean
  /** Whether it is erased when types are stripped. */
  readonly typeOnly: boolean
  readonly line: number
}

const packageOf = (specifier: string): string => {
  if (specifier.startsWith('node:')) return specifier
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}

/** Whether only types are imported: `import type`, or every name marked `type`. */
function onlyTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const names = clause.namedBindings
  if (clause.name || !names || !ts.isNamedImports(names)) return false
  return names.elements.length > 0 && names.elements.every((element) => element.isTypeOnly)
}

function specifierOf(node: ts.Node): { text: string; typeOnly: boolean } | null {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
    return { text: node.moduleSpecifier.text, typeOnly: onlyTypes(node.importClause) }
  if (
    ts.isExportDeclaration(node) &&
    node.moduleSpecifier &&
    ts.isStringLiteral(node.moduleSpecifier)
  )
    return { text: node.moduleSpecifier.text, typeOnly: node.isTypeOnly }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument
    return ts.isStringLiteral(literal) ? { text: literal.text, typeOnly: true } : null
  }
  if (!ts.isCallExpression(node)) return null
  const [argument] = node.arguments
  const loads =
    node.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(node.expression) && node.expression.text === 'require')
  return loads && argument && ts.isStringLiteralLike(argument)
    ? { text: argument.text, typeOnly: false }
    : null
}

/** Returns every import of a file: `import`, `export ... from`, `import()`, `require()` and import types. */
export function importsOf(source: Source): readonly Import[] {
  const found: Import[] = []
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier) {
      const bare = specifier.text.replace(/\?.*$/, '')
      const isPackage = !bare.startsWith('.')
      found.push({
        from: source.path,
        to: isPackage ? packageOf(bare) : posix.join(posix.dirname(source.path), bare),
        isPackage,
        typeOnly: specifier.typeOnly,
        line: source.code.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source.code)
  return found
}

/** Returns the files and packages that a file loads, each with its import path. Type imports are erased and do not count. */
export function loadedBy(
  entry: string,
  imports: ReadonlyMap<string, readonly Import[]>,
): ReadonlyMap<string, readonly string[]> {
  const ways = new Map<string, readonly string[]>([[entry, [entry]]])
  const open = [entry]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const next of imports.get(path) ?? []) {
      if (next.typeOnly || ways.has(next.to)) continue
      ways.set(next.to, [...(ways.get(path) ?? []), next.to])
      if (!next.isPackage) open.push(next.to)
    }
  }
  return ways
}

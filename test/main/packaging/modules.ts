import { parseAst } from 'vite'

/** Nodes that name a module, in whatever way. */
function namedBy(node: Readonly<Record<string, unknown>>): unknown {
  const { type, source, callee, arguments: args } = node
  if (
    type === 'ImportDeclaration' ||
    type === 'ExportAllDeclaration' ||
    type === 'ImportExpression'
  )
    return source
  if (type === 'ExportNamedDeclaration') return source
  const isRequire =
    type === 'CallExpression' && /require$/i.test((callee as { name?: string })?.name ?? '')
  return isRequire ? (args as unknown[])[0] : null
}

/** The modules that a program imports or requires by a name written in it, each once. */
export function modulesOf(text: string): string[] {
  const names = new Set<string>()
  const waiting: unknown[] = [parseAst(text)]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (typeof node !== 'object' || node === null) continue
    const named = namedBy(node as Record<string, unknown>) as { value?: unknown } | null
    if (typeof named?.value === 'string') names.add(named.value)
    waiting.push(...Object.values(node))
  }
  return [...names]
}

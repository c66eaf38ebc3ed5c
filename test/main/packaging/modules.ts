import { posix } from 'node:path'
import { parseAst } from 'vite'
import type { BuiltFile } from './built.ts'

/** Returns the module that a node names, in any syntax. */
function namedBy(node: Readonly<Record<string, unknown>>): unknown {
  const { type, source, callee, arguments: args } = node
  if (
    type === 'ImportDeclaration' ||
    type === 'ExportAllDeclaration' ||
    type === 'ImportExpression'
  )
    return source
  if (type === 'ExportNamedDeclaration') return source
  // `createRequire` takes a base path, which is not a module.
  const isRequire =
    type === 'CallExpression' &&
    /(?<!create)require$/i.test((callee as { name?: string })?.name ?? '')
  return isRequire ? (args as unknown[])[0] : null
}

type Node = Readonly<Record<string, unknown>>

/** Yields every node of a program. */
function* nodesOf(text: string): Iterable<Node> {
  const waiting: unknown[] = [parseAst(text)]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (typeof node !== 'object' || node === null) continue
    yield node as Node
    waiting.push(...Object.values(node))
  }
}

/** Returns the modules that a program imports or requires by a literal name, each once. */
export function modulesOf(text: string): string[] {
  const names = new Set<string>()
  for (const node of nodesOf(text)) {
    const named = namedBy(node) as { value?: unknown } | null
    if (typeof named?.value === 'string') names.add(named.value)
  }
  return [...names]
}

/** Returns a built file and all files that are loaded with it, in any order. Throws if one of them is missing. */
export function loadedWith(files: readonly BuiltFile[], path: string): readonly BuiltFile[] {
  const loaded = new Map<string, BuiltFile>()
  const waiting = [path]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (loaded.has(next)) continue
    const file = files.find((each) => each.path === next)
    if (!file) throw new Error(`${next} is missing`)
    loaded.set(next, file)
    for (const node of parseAst(file.text).body) {
      const source = 'source' in node ? node.source : null
      if (typeof source?.value === 'string' && source.value.startsWith('.'))
        waiting.push(posix.join(posix.dirname(next), source.value))
    }
  }
  return [...loaded.values()]
}

/** Returns the texts of a program: strings and the fixed parts of templates, without comments. */
export function textsOf(text: string): string[] {
  const texts: string[] = []
  for (const { type, value } of nodesOf(text)) {
    if (type === 'Literal' && typeof value === 'string') texts.push(value)
    if (type === 'TemplateElement') texts.push((value as { raw: string }).raw)
  }
  return texts
}

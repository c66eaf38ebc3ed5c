import { posix } from 'node:path'
import type { Import } from './imports.ts'
import type { Source } from './tree.ts'

/** Lines from which a file is long enough to be an idea of its own. */
const minLines = 50

/** Files that are similar to those next to them, or that other rules keep separate. */
const equals: readonly RegExp[] = [
  /^src\/shared\/contract\//,
  /^src\/main\/operations\//,
  /^src\/main\/domains\/[^/]+\/(?:setup|routes)\.ts$/,
  /^src\/local-service\/endpoints\//,
  /^src\/renderer\/src\/i18n\//,
  /\/index\.ts$/,
  /\.vue$/,
]

/**
 * Returns the short files that belong in their only importer, which is in the same folder or in one above it. Files that a
 * test imports are separate for the test.
 */
export function fragments(sources: readonly Source[], imports: readonly Import[]): string[] {
  const importers = Map.groupBy(imports, ({ to }) => to)
  return sources
    .filter(({ path, text }) => {
      if (!path.startsWith('src/') || text.split('\n').length > minLines) return false
      if (equals.some((pattern) => pattern.test(path))) return false
      const [importer, ...others] = new Set(importers.get(path)?.map(({ from }) => from))
      if (importer === undefined || others.length > 0 || !importer.startsWith('src/')) return false
      return path.startsWith(`${posix.dirname(importer)}/`)
    })
    .map(({ path }) => path)
}

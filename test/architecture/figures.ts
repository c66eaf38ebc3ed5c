import { repositoryFiles, read, sourceOf } from './tree.ts'
import { importsOf } from './imports.ts'

/** Prints the size and structure of the code: `npm run figures`. */

const lines = (text: string): number => text.split('\n').length - 1

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const files = repositoryFiles()
  .filter((path) => /^(src|test)\/.*\.(ts|mts|vue|css)$/.test(path))
  .map((path) => ({ path, text: read(path) }))
const sources = files.filter(({ path }) => path.startsWith('src/'))
const scripts = files.filter(({ path }) => !path.endsWith('.css'))

const importers = new Map<string, Set<string>>()
for (const { path, text } of scripts)
  for (const { to } of importsOf(sourceOf(path, text)))
    importers.set(to, (importers.get(to) ?? new Set()).add(path))

/** Files that exactly one source file imports, and no test. */
const fragments = sources.filter(({ path }) => {
  const users = importers.get(path) ?? new Set<string>()
  return users.size === 1 && [...users].every((user) => user.startsWith('src/'))
})

const lengths = sources.map(({ text }) => lines(text)).toSorted((a, b) => a - b)
const total = (of: readonly { text: string }[]): number =>
  of.reduce((sum, { text }) => sum + lines(text), 0)
const styleLines = sources.reduce(
  (sum, { path, text }) =>
    sum +
    (path.endsWith('.vue')
      ? [...text.matchAll(/^<style[^>]*>\n([^]*?)^<\/style>/gm)].reduce(
          (all, [, style = '']) => all + lines(style),
          0,
        )
      : 0),
  0,
)

const figures: readonly (readonly [string, number])[] = [
  ['files of src', sources.length],
  ['lines of src', total(sources)],
  ['median lines of a file', at(lengths, 0.5)],
  ['90th percentile', at(lengths, 0.9)],
  ['longest file', lengths.at(-1) ?? 0],
  ['files under 50 lines', lengths.filter((length) => length < 50).length],
  ['files with one importer and no test', fragments.length],
  ['of these components', fragments.filter(({ path }) => path.endsWith('.vue')).length],
  ['lines of scoped styles', styleLines],
  ['lines of stylesheets', total(sources.filter(({ path }) => path.endsWith('.css')))],
  ['lines of test', total(files.filter(({ path }) => path.startsWith('test/')))],
]
for (const [name, value] of figures) console.log(`${name.padEnd(38)}${String(value).padStart(8)}`)
if (process.argv.includes('--list')) for (const { path } of fragments) console.log(path)

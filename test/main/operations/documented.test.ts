import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from '../../../src/main/operations/index.ts'

/** A row of the table in docs/operations.md. */
interface Row {
  readonly operation: string
  readonly section: string
  /** Address of its section in the page. */
  readonly address: string
  /** Path of the browser test. */
  readonly test: string
}

const pattern =
  /^\| `([a-z]+\.\w+)`\s*\| ([^|]+?)\s*\| [^|]*\(`(#\/[^`]+)`\)\s*\| \[[^\]]+\]\(\.\.\/(\S+)\)\s*\|$/gmu

const rows: readonly Row[] = [...readFileSync('docs/operations.md', 'utf8').matchAll(pattern)].map(
  ([, operation = '', section = '', address = '', file = '']) => ({
    operation,
    section,
    address,
    test: file,
  }),
)

test('lists every operation once, with the section of docs/service-notes.md', () => {
  const named = rows.map(({ operation, section }) => `${operation} ${section}`)
  const there = Object.entries(operations).map(([name, { spec }]) => `${name} ${spec}`)
  expect(named.toSorted()).toEqual(there.toSorted())
})

test('contains only addresses that the app has', () => {
  const router = readFileSync('src/renderer/src/router.ts', 'utf8')
  for (const { operation, address } of rows) {
    const [place = '', part] = address.slice(2).split('/')
    const path = [...router.matchAll(/path: '(\/[^']*)'/g)]
      .map(([, one = '']) => one)
      .find((one) => one.startsWith(`/${place}`))
    expect(path, operation).toBeDefined()
    if (part !== undefined) expect(path, operation).toMatch(new RegExp(`[(|]${part}[)|]`))
  }
})

test('contains only browser tests that exist and use the operation or its section', () => {
  for (const { operation, address, test: file } of rows) {
    expect([file, existsSync(file)]).toEqual([file, true])
    const text = readFileSync(file, 'utf8')
    // A test that opens every form uses the table itself.
    const opensAll = text.includes("'runs.operations'")
    const words = address.slice(2).split('/')
    const names = text.includes(operation) || words.some((word) => placeNamed(text, word))
    expect([operation, file, opensAll || names]).toEqual([operation, file, true])
  }
})

/** Whether a test opens a section by its link, by a part of its address or by its routes. */
const placeNamed = (text: string, word: string): boolean =>
  new RegExp(`['"\`/#]${word}['"\`/$?.]|name: '${word}'`, 'iu').test(text)

/** Operations of the provider that Lectern does not call. */
const leftOut = [
  '/llm-application/open/v2/application/{id}/conversation',
  '/llm-application/open/v3/application/invoke',
  '/v1/agents/async-result',
  '/zrag/retrieval/retrieve',
]

test('documents every omitted operation with its reason, and calls none of them', () => {
  const rowsOf = readFileSync('docs/operations-left-out.md', 'utf8').split('\n')
  const sources = readdirSync('src/main/provider-client').map((name) =>
    readFileSync(`src/main/provider-client/${name}`, 'utf8'),
  )
  for (const path of leftOut) {
    const row = rowsOf.find((line) => line.includes(`\`POST ${path}\``))
    expect(row?.split('|')[3]?.trim().length, path).toBeGreaterThan(40)
    const isCalled = sources.some((source) =>
      path.split('{id}').every((part) => source.includes(part)),
    )
    expect(isCalled, path).toBe(false)
  }
  const documented = rowsOf.filter((line) => line.startsWith('| `POST'))
  expect(documented).toHaveLength(leftOut.length)
})

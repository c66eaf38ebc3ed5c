import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { at } from '../../scripts/lib/paths.mjs'
import { checkIds } from '../../src/shared/self-test/checks.ts'

/** The parser that electron-builder uses for its configuration. */
const yaml = createRequire(at('node_modules/app-builder-lib/package.json'))('js-yaml')
const folder = at('.github/workflows')
const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(`${folder}/${name}`, 'utf8')
  return { name, text, content: yaml.load(text) }
})
const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const stepsOf = ({ content }) => Object.values(content.jobs).flatMap(({ steps }) => steps)
const runners = workflows.flatMap(({ content }) =>
  Object.values(content.jobs).flatMap((job) => {
    const { include = [], runner = [] } = job.strategy?.matrix ?? {}
    const matrix = [...include.map((entry) => entry.runner), ...runner]
    return matrix.length > 0 ? matrix : [job['runs-on']]
  }),
)

/** Returns the names of npm scripts that a command calls. */
const calledScripts = (command) => [
  ...[...command.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name),
  ...(/npm (test|start)\b/.exec(command)?.slice(1) ?? []),
]

describe.each(workflows.map((workflow) => [workflow.name, workflow]))('%s', (_, workflow) => {
  test('calls only existing scripts', () => {
    const commands = stepsOf(workflow).flatMap(({ run }) => (run ? [run] : []))
    expect(commands.length).toBeGreaterThan(0)
    const called = commands.flatMap(calledScripts)
    expect(called.filter((name) => !(name in scripts))).toEqual([])
    // Test steps, and our own programs.
    for (const [, step] of commands.join('\n').matchAll(/--only (\w+)/g))
      expect(readFileSync(at('scripts/test.mjs'), 'utf8')).toContain(`name: '${step}'`)
    for (const command of commands.filter((text) => text.startsWith('.')))
      expect(() => readFileSync(at(command))).not.toThrow()
  })

  test('uses only GitHub’s own actions, each at a major version', () => {
    const used = stepsOf(workflow).flatMap(({ uses }) => (uses ? [uses] : []))
    expect(used.length).toBeGreaterThan(0)
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@(v\d+|[0-9a-f]{40})$/)
  })

  test('uses one shell on every system', () => {
    expect(workflow.content.defaults).toEqual({ run: { shell: 'bash' } })
    expect(stepsOf(workflow).filter(({ shell }) => shell)).toEqual([])
  })

  test('has read-only permissions unless declared otherwise', () => {
    expect(workflow.content.permissions).toEqual({ contents: 'read' })
    const more = Object.entries(workflow.content.jobs).filter(([, job]) => job.permissions)
    expect(more.map(([name]) => name)).toEqual(workflow.name === 'release.yml' ? ['release'] : [])
  })

  test('has a timeout, and passes no external text to a shell', () => {
    for (const [name, job] of Object.entries(workflow.content.jobs))
      if (name !== 'release') expect(job['timeout-minutes']).toBeGreaterThan(0)
    for (const { run = '' } of stepsOf(workflow))
      for (const [, value] of run.matchAll(/\$\{\{\s*(.*?)\s*\}\}/g))
        expect(value).toMatch(/^matrix\./)
  })
})

test('tests and packs the three systems', () => {
  expect(runners.length).toBeGreaterThan(6)
  for (const system of [/^ubuntu-/, /^windows-/, /^macos-/])
    expect(runners.filter((runner) => system.test(runner)).length).toBeGreaterThan(1)
  expect(runners.filter((runner) => /latest/.test(runner))).toEqual([])
})

test('runs the self-test of the packed app on the three systems and always keeps the report', () => {
  const { pack } = workflows.find(({ name }) => name === 'test.yml').content.jobs
  const { include } = pack.strategy.matrix
  expect(include.map(({ runner }) => /^\w+/.exec(runner)[0]).toSorted()).toEqual([
    'macos',
    'ubuntu',
    'windows',
  ])
  // A display if the system has none.
  expect(include.filter(({ display }) => display).map(({ runner }) => runner)).toEqual([
    expect.stringMatching(/^ubuntu/),
  ])
  const stepAt = (find) => pack.steps.findIndex(find)
  const packs = stepAt(({ run }) => run?.startsWith('npm run package -- --dir'))
  const starts = stepAt(({ run }) => run?.includes('${{ matrix.display }} npm run test:packed'))
  const keeps = stepAt(({ uses }) => uses?.startsWith('actions/upload-artifact'))
  expect([packs, starts, keeps]).toEqual([packs, starts, keeps].toSorted((a, b) => a - b))
  expect(packs).toBeGreaterThan(0)
  expect(pack.steps[starts]).not.toHaveProperty('if')
  expect(pack.steps[keeps]).toMatchObject({
    if: '${{ !cancelled() }}',
    with: { path: /--report=(\S+)/.exec(pack.steps[starts].run)[1] },
  })
  // Checks that may fail without hardware are listed and must exist.
  for (const { without } of include)
    expect(checkIds).toEqual(expect.arrayContaining(without.split(',')))
})

test('describes every secret, and nothing else as one', () => {
  const used = new Set(
    workflows.flatMap(({ text }) => [...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name)),
  )
  const page = readFileSync(at('docs/packaging.md'), 'utf8')
  const described = [...page.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name)
  expect(described.toSorted()).toEqual([...used].toSorted())
})

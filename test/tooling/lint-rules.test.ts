import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Programs with one error each, by the rule that must find it. */
const faults: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['no-explicit-any', 'src/main/any.ts', 'export const a: any = 1'],
  ['no-non-null-assertion', 'src/main/bang.ts', 'export const a = (b: string | null) => b!.length'],
  ['ban-ts-comment', 'src/main/ban.ts', '// @ts-ignore\nexport const a = 1'],
  ['no-floating-promises', 'src/main/float.ts', 'export const a = () => { Promise.resolve(1) }'],
  [
    'no-misused-promises',
    'src/main/misuse.ts',
    'export const a = () => [1].forEach(async () => {})',
  ],
  ['no-default-export', 'src/main/default.ts', 'export default 1'],
  ['no-console', 'src/main/console.ts', `console.log('a')`],
  ['no-restricted-globals', 'src/main/fetch.ts', `export const a = () => fetch('https://a.b')`],
  ['no-restricted-globals', 'src/renderer/src/kit/ws.ts', `export const a = new WebSocket('/')`],
  [
    'no-restricted-properties',
    'src/main/open.ts',
    'declare const shell: { openExternal(u: string): void }\nexport const a = () => shell.openExternal("")',
  ],
  ['no-restricted-properties', 'src/renderer/src/kit/html.ts', `document.body.innerHTML = ''`],
  [
    'no-disabled-tests',
    'test/skip.test.ts',
    `import { test } from 'vitest'\ntest.skip('a', () => {})`,
  ],
  [
    'no-focused-tests',
    'test/only.test.ts',
    `import { test } from 'vitest'\ntest.only('a', () => {})`,
  ],
]

/** The same texts in places where they are allowed. */
const allowed: readonly (readonly [path: string, text: string])[] = [
  ['src/renderer/src/lib/bridge/socket.ts', `export const a = (): WebSocket => new WebSocket('/')`],
  [
    'src/renderer/src/lib/markdown/html.ts',
    `export const a = (e: HTMLElement): void => { e.innerHTML = '' }`,
  ],
  ['some.config.ts', 'export default {}'],
  ['bench/print.ts', `console.log('a')`],
]

let folder = ''
let output = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-lint-'))
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  const options = {
    strict: true,
    lib: ['ES2024', 'DOM'],
    types: [],
    module: 'ESNext',
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  const planted = faults.map(([, ...file]) => file)
  for (const [path, text] of [...planted, ...allowed]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${text}\n`)
  }
  output = lint()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function lint(): string {
  try {
    const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=unix']
    // oxlint searches for tsgolint next to the files it reads, where there is none.
    const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, 'node_modules/.bin/tsgolint') }
    const options = { cwd: folder, env, encoding: 'utf8', stdio: 'pipe', timeout: 100_000 } as const
    return execFileSync(process.execPath, args, options)
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
  }
}

const findingsIn = (path: string): string[] =>
  output.split('\n').filter((line) => line.includes(`${path}:`))

describe('oxlint', () => {
  test.each(faults)('finds %s in %s', (rule, path) => {
    expect(findingsIn(path).join('\n')).toContain(`(${rule})`)
  })

  test.each(allowed)('accepts %s', (path) => {
    expect(findingsIn(path)).toEqual([])
  })
})

const eslint = new ESLint({ cwd: root })

/** Lints a component as if it were at this path; returns the rules it violated. */
async function lintComponent(path: string, text: string): Promise<string[]> {
  const [file] = await eslint.lintText(text, { filePath: join(root, path) })
  return (file?.messages ?? []).map((message) => message.ruleId ?? message.message)
}

const setup = `<script setup lang="ts">\nconst html = 'x'\n</script>\n`

describe('ESLint', () => {
  test.each([
    ['vue/no-v-html', `${setup}<template><p v-html="html" /></template>`],
    ['vue/no-bare-strings-in-template', `<template><p>Hello</p></template>`],
    ['vue/no-bare-strings-in-template', `<template><input aria-label="Name" /></template>`],
    ['vue/html-button-has-type', `<template><button /></template>`],
    [
      'vue/block-lang',
      `<script setup>\nconst a = 1\n</script>\n<template><p>{{ a }}</p></template>`,
    ],
    [
      'vue/component-api-style',
      `<script lang="ts">\nexport default { data: () => ({}) }\n</script>`,
    ],
    ['vue/require-v-for-key', `<template><p v-for="i in 3">{{ i }}</p></template>`],
  ])('finds %s in %s', async (rule, text) => {
    expect(await lintComponent('src/renderer/src/kit/Planted.vue', text)).toContain(rule)
  })

  test('allows v-html only in the component that creates HTML', async () => {
    const text = `${setup}<template>\n  <p v-html="html" />\n</template>\n`
    expect(await lintComponent('src/renderer/src/lib/markdown/Planted.vue', text)).toEqual([])
  })
})

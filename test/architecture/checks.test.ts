import { describe, expect, test } from 'vitest'
import { ownControls } from './controls.ts'
import { unusedExports } from './exports.ts'
import { fragments } from './fragments.ts'
import { importsOf, loadedBy } from './imports.ts'
import { crossings, domainCrossings, strays } from './layers.ts'
import { scriptOf } from '../../scripts/lib/vocabulary.mjs'
import { moduleState } from './module-state.ts'
import { sourceOf } from './tree.ts'
import { unwantedIn } from './words.ts'

const importOf = (path: string): string =>
  `import '${path.startsWith('.') ? path : `./${path}`}.ts'`
const edges = (path: string, text: string): ReturnType<typeof importsOf> =>
  importsOf(sourceOf(path, text))
const crossingsOf = (path: string, text: string): string[] => crossings(edges(path, text))

describe('imports', () => {
  test('are found in every form, including component scripts', () => {
    const text = [
      `import a from './a.ts'`,
      `import type { B } from '../b.ts'`,
      `import { type C } from 'c/deep'`,
      `export * from '@scope/d/sub'`,
      `const e = () => import('./e.ts?worker')`,
      `const f: import('node:fs').Stats | null = null`,
    ].join('\n')
    const found = edges('src/x/y.ts', text).map(({ to, typeOnly, line }) => [to, typeOnly, line])
    expect(found).toEqual([
      ['src/x/a.ts', false, 1],
      ['src/b.ts', true, 2],
      ['c', true, 3],
      ['@scope/d', false, 4],
      ['src/x/e.ts', false, 5],
      ['node:fs', true, 6],
    ])
    const vue = `<template>\n  <p />\n</template>\n<script setup lang="ts">\nimport 'q'\n</script>`
    expect(edges('src/x/Y.vue', vue)).toMatchObject([{ to: 'q', line: 5 }])
    expect(scriptOf('src/x/Y.vue', vue).split('\n')).toHaveLength(6)
  })

  test('are followed transitively, except type imports', () => {
    const files = {
      'a.ts': `import './b.ts'`,
      'b.ts': `import './c.ts'; import type { T } from './d.ts'`,
      'c.ts': `import 'zod'`,
      'd.ts': `import 'electron'`,
    }
    const imports = new Map(Object.entries(files).map(([path, text]) => [path, edges(path, text)]))
    const loaded = loadedBy('a.ts', imports)
    expect(loaded.get('zod')).toEqual(['a.ts', 'b.ts', 'c.ts', 'zod'])
    expect(loaded.has('electron')).toBe(false)
  })
})

test('own controls are found in templates', () => {
  const found = (template: string): string[] =>
    ownControls('src/renderer/src/x/X.vue', `<template>\n${template}\n</template>`)
  for (const own of [
    '<dialog open>',
    '<div popover>',
    '<ul role="menu">',
    '<progress :value="1" />',
    '<input class="field" type="number" />',
    '<select\n  v-model="one"\n>',
  ])
    expect(found(own)).toHaveLength(1)
  expect(
    found('<select v-model="one" class="field w-auto"><UiPopover panel-label="popover">'),
  ).toEqual([])
})

describe('layer violations', () => {
  test.each([
    ['src/renderer/src/x.ts', `import { a } from '../../main/app.ts'`],
    ['src/renderer/src/x.ts', `import type { A } from '../../main/app.ts'`],
    ['src/renderer/src/x.ts', `import { z } from 'zod'`],
    ['src/renderer/src/x.ts', `import { readFile } from 'node:fs'`],
    ['src/shared/x.ts', `import '../main/errors.ts'`],
    ['src/shared/x.ts', `import { ref } from 'vue'`],
    ['src/main/domains/audio/x.ts', `import { app } from 'electron'`],
    ['src/main/updates/x.ts', `const x = await import('../hosts/loopback/server.ts')`],
    ['src/main/index.ts', `import './hosts/loopback/index.ts'`],
    ['src/main/domains/audio/store/x.ts', `import '../service/meetings.ts'`],
    ['src/main/domains/audio/service/x.ts', `import '../routes.ts'`],
    ['src/main/domains/audio/service/x.ts', `import { setupAudio } from '../setup.ts'`],
    ['src/main/app.ts', `import { createChats } from './domains/chats/service/chats.ts'`],
    ['src/main/platform/files/x.ts', `import '../../domains/audio/store/jobs.ts'`],
    ['src/preload/index.ts', `import '../main/errors.ts'`],
    ['src/local-service/x.ts', `import '../main/library-database/open.ts'`],
    ['src/system/x.ts', `import '../main/errors.ts'`],
    ['src/renderer/src/x.ts', `import { moveFile } from '../../system/file-moves.ts'`],
  ])('are found in %s: %s', (path, text) => {
    expect(crossingsOf(path, text)).toHaveLength(1)
  })

  test('are not reported for allowed imports', () => {
    expect(crossingsOf('src/main/hosts/electron/x.ts', `import { app } from 'electron'`)).toEqual(
      [],
    )
    expect(crossingsOf('src/renderer/src/x.ts', `import type { z } from 'zod'`)).toEqual([])
    expect(crossingsOf('src/shared/contract/x.ts', `import { z } from 'zod'`)).toEqual([])
    expect(
      crossingsOf('src/main/domains/audio/routes.ts', `import './service/meetings.ts'`),
    ).toEqual([])
  })

  test('include imports between domains that skip an index or go backwards', () => {
    const of = (text: string): string[] =>
      domainCrossings(edges('src/main/domains/chats/service/x.ts', text))
    expect(of(`import { a } from '../../documents/index.ts'`)).toEqual([])
    expect(of(`import { a } from '../../documents/store/index.ts'`)).toEqual([])
    expect(of(`import { a } from '../../documents/store/documents-store.ts'`)).toHaveLength(1)
    expect(of(`import type { A } from '../../library/index.ts'`)).toHaveLength(1)
    expect(of(`import { a } from '../store/chats-store.ts'`)).toEqual([])
  })

  test('include restricted packages outside their allowed files', () => {
    expect(
      strays(edges('src/main/domains/audio/x.ts', `import { Agent } from 'undici'`)),
    ).toHaveLength(1)
    expect(
      strays(edges('src/main/provider-client/http.ts', `import { Agent } from 'undici'`)),
    ).toEqual([])
  })
})

test('short files with one importer are found, unless a test or another folder imports them', () => {
  const files = {
    'src/x/short.ts': 'export const a = 1',
    'src/x/long.ts': '\n'.repeat(50),
    'src/x/tested.ts': 'export const b = 1',
    'src/x/shared.ts': 'export const c = 1',
    'src/y/far.ts': 'export const d = 1',
    'src/x/entry.ts': ['short', 'long', 'tested', 'shared', '../y/far'].map(importOf).join('\n'),
    'src/x/other.ts': importOf('shared'),
    'test/x.test.ts': importOf('../src/x/tested'),
  }
  const sources = Object.entries(files).map(([path, text]) => sourceOf(path, text))
  expect(fragments(sources, sources.flatMap(importsOf))).toEqual(['src/x/short.ts'])
})

test('unused exports are found, whatever form export and import have', () => {
  const files = {
    'src/x/a.ts': [
      'export const [used, { unused }] = all',
      'export function called() {}',
      'export interface Described {}',
      'export type Unread = string',
      'const local = 1, other = 2',
      'export { local as renamed, other }',
      `export { passed, dropped } from './b.ts'`,
    ].join('\n'),
    'src/x/b.ts': 'export const passed = 1, dropped = 2, forgotten = 3',
    'src/x/whole.ts': 'export const anything = 1',
    'src/x/C.vue': `<script setup lang="ts">\nimport { used as mine, renamed } from './a.ts'\n</script>`,
    'src/x/d.ts': [
      `import * as whole from './whole.ts'`,
      `type D = import('./a.ts').Described`,
      `export {}`,
    ].join('\n'),
    'test/x/a.test.ts': `import { called, passed } from '../../src/x/a.ts'`,
  }
  const sources = Object.entries(files).map(([path, text]) => sourceOf(path, text))
  expect(unusedExports(sources)).toEqual([
    'src/x/a.ts: unused',
    'src/x/a.ts: Unread',
    'src/x/a.ts: other',
    'src/x/a.ts: dropped',
    'src/x/b.ts: forgotten',
  ])
  const loading = sourceOf('src/x/e.ts', `const loaded = await import('./b.ts')`)
  expect(unusedExports([...sources, loading])).not.toContain('src/x/b.ts: forgotten')
})

test('finds unwanted text', () => {
  const found = (text: string): string[] => unwantedIn('src/x.ts', text)
  expect(found('// TODO: later')).toHaveLength(1)
  expect(found('get https://registry.npmjs.org/x')).toHaveLength(1)
  expect(found('// oxlint-disable-next-line')).toHaveLength(1)
  expect(found('// toDo list, hacks and registries are words like others')).toEqual([])
})

test('state of a module is what its functions fill or change', () => {
  const state = [
    'let last = 0',
    'export const seen = new Map<string, number>()',
    'const byPage = new WeakMap<Page, number>()',
    'const classes = new Uint8Array(256)',
    'const open = ref(false)',
    'const waiting: string[] = []',
    'const given = {}',
  ]
  const constant = [
    `const names = new Set(['a'])`,
    `const pattern = new RegExp('a')`,
    'const list = [1]',
    'function count() { let n = 0; return new Map() }',
    'const { length } = names',
  ]
  const text = [...state, ...constant].join('\n')
  const names = ['last', 'seen', 'byPage', 'classes', 'open', 'waiting', 'given']
  expect(moduleState(sourceOf('src/x.ts', text))).toEqual(names.map((name) => `src/x.ts: ${name}`))
})

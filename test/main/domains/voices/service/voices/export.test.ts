import { expect, test } from 'vitest'
import type { PackEntry } from '../../../../../../src/main/domains/voices/worker/sample/messages.ts'
import { exportSample } from '../../../../../../src/main/domains/voices/service/voices/export.ts'

type Deps = Parameters<typeof exportSample>[0]

test('a voice name cannot escape the folder when its archive is unpacked', async () => {
  const packed: PackEntry[] = []
  const clone = {
    previewId: 'm',
    createdAt: 0,
    voice: 'v',
    accountName: '',
    state: 'done',
    input: '',
  }
  const sample = {
    title: 'Ada',
    createdAt: 0,
    language: 'en',
    consent: null,
    source: {},
    text: { text: '', state: 'typed' },
    report: { durationMs: 0, checks: [] },
    versions: [],
    clones: ['../../x', '..\\..\\x', 'C:x', '/etc/x', 'a\0b'].map((voiceName) => ({
      ...clone,
      voiceName,
    })),
  }
  // Dependencies that are not used here are omitted.
  const deps = {
    store: { samples: { get: () => sample }, media: { get: () => undefined } },
    files: { path: async () => '/f', intake: async () => ({ id: 'zip' }) },
    work: {
      pack: async (entries: readonly PackEntry[]) => {
        packed.push(...entries)
        return new Uint8Array(1)
      },
    },
    version: '1',
  } as unknown as Deps
  await exportSample(deps, 's')
  const names = packed.map(({ name }) => name).filter((name) => name.startsWith('clones/'))
  expect(names).toHaveLength(5)
  for (const name of names) expect(name).toMatch(/^clones\/\d-[^/\\:\p{Cc}]+\.wav$/u)
})

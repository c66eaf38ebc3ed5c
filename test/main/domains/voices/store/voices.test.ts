import { expect, test } from 'vitest'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { ListedVoice } from '../../../../../src/main/domains/voices/store/voices-store.ts'
import { aMedia, temporaryHome, withStore } from '../../../platform/database/fixture.ts'

const listed = (...names: readonly string[]): readonly ListedVoice[] =>
  names.map((name) => ({
    voice: `id-${name}`,
    name,
    type: name.startsWith('my') ? 'PRIVATE' : 'OFFICIAL',
    createTime: null,
    downloadUrl: null,
  }))

async function inStore(work: (store: Store) => void): Promise<void> {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, work)
  } finally {
    folder.remove()
  }
}
const names = (store: Store, account = 'a'): readonly string[] =>
  store.voices.list(account).voices.map(({ name, goneAt }) => (goneAt === null ? name : `-${name}`))

test('keeps voices that were listed once, marks missing ones, and unmarks them when listed again', () =>
  inStore((store) => {
    store.voices.keep('a', listed('myOne', 'tongtong', 'jam'), 10, { whole: true })
    store.voices.keep('b', listed('other'), 11, { whole: true })
    store.voices.keep('a', listed('tongtong', 'jam'), 20, { whole: true })
    expect(names(store)).toEqual(['tongtong', 'jam', '-myOne'])
    expect(store.voices.list('a').at).toBe(20)
    // A search returns some voices and proves nothing about the others, nor about the age of the list.
    store.voices.keep('a', listed('jam'), 30, { whole: false })
    expect(names(store)).toEqual(['tongtong', 'jam', '-myOne'])
    expect(store.voices.list('a').at).toBe(20)
    store.voices.keep('a', listed('myOne', 'tongtong', 'jam'), 40, { whole: true })
    expect(names(store)).toEqual(['myOne', 'tongtong', 'jam'])
    expect(names(store, 'b')).toEqual(['other'])
  }))

test('keeps a preview as long as its voice, also when a later list has no URL for it', () =>
  inStore((store) => {
    store.media.put(aMedia('m1'))
    store.media.put(aMedia('m2'))
    store.voices.keep('a', listed('myOne'), 10, { whole: true })
    expect(store.media.orphans(99).map(({ id }) => id)).toEqual(['m1', 'm2'])
    store.voices.keepPreview('a', 'id-myOne', { mediaId: 'm1', kind: 'service' })
    store.voices.keepPreview('a', 'id-myOne', { mediaId: 'm2', kind: 'spoken' })
    expect(store.media.orphans(99).map(({ id }) => id)).toEqual(['m1'])
    store.voices.keep('a', [], 20, { whole: true })
    expect(store.voices.get('a', 'id-myOne')).toMatchObject({
      goneAt: 20,
      previewId: 'm2',
      previewKind: 'spoken',
    })
    store.voices.used('a', 'id-myOne', 30)
    expect(store.voices.get('a', 'id-myOne')).toMatchObject({ uses: 1, usedAt: 30 })
  }))

test('keeps the files of sample versions until the voice is deleted permanently', () =>
  inStore((store) => {
    const report = { durationMs: 1, sampleRate: 1, bytes: 1, checks: [], peaks: [], speech: [] }
    for (const id of ['m1', 'm2']) store.media.put(aMedia(id))
    const version = (id: string, mediaId: string, parentId: string | null) => ({
      id,
      mediaId,
      parentId,
      fix: null,
      durationMs: 1,
      createdAt: 1,
    })
    store.items.create({ id: 's', kind: 'voice', title: 'Ada', mediaId: 'm1', at: 1 })
    store.samples.create(
      's',
      { source: { kind: 'recorded' }, language: 'en' },
      version('v1', 'm1', null),
      report,
    )
    store.samples.addVersion('s', version('v2', 'm2', 'v1'), report)
    expect(store.samples.get('s')?.versionId).toBe('v2')
    store.samples.useVersion('s', 'v1')
    expect(() => store.samples.useVersion('s', 'v9')).toThrow(/does not have this version/)
    store.items.remove(['s'], 5)
    expect(store.samples.list()).toEqual([])
    expect(store.samples.get('s')?.versions).toHaveLength(2)
    expect(store.media.orphans(99)).toEqual([])
    store.items.purge(['s'])
    expect(store.media.orphans(99).map(({ id }) => id)).toEqual(['m1', 'm2'])
  }))

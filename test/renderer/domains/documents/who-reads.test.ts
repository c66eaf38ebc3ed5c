import { expect, test } from 'vitest'
import { useDocument } from '../../../../src/renderer/src/domains/documents/documents-store.ts'
import { parseLocationOf } from '../../../../src/renderer/src/domains/documents/parse-engine.ts'
import { presets, type PresetId } from '../../../../src/shared/provider/profiles.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

const account = (preset: PresetId, baseUrl: string) => ({
  preset,
  profile: { ...presets[preset], baseUrl },
})

test('sends nothing anywhere with the engines of this computer', () => {
  expect(parseLocationOf(account('local', ''))).toEqual({ at: 'here' })
})

test('names the host that pages are sent to', () => {
  expect(parseLocationOf(account('custom', 'https://models.example:8443/api'))).toEqual({
    at: 'remote',
    host: 'models.example:8443',
  })
})

test.each(['http://127.0.0.1:4010', 'http://localhost:4010/v4', 'http://[::1]:4010'])(
  'treats %s as a program on this computer',
  (url) => {
    expect(parseLocationOf(account('custom', url)).at).toBe('localhost')
  },
)

test.each(['https://127.0.0.1.evil.example', 'https://localhost.example', 'https://10.0.0.7'])(
  'treats %s as another computer',
  (url) => {
    expect(parseLocationOf(account('custom', url)).at).toBe('remote')
  },
)

test('reports a parse that cannot be started in its form, with the chosen account', async () => {
  const { main, run, settle } = rendererSetup({
    fail: { 'documents.parse': failure('FILE_MISSING') },
  })
  const document = run(() => useDocument())
  await document.open('d')
  await settle()
  const options = { pages: '', crops: false, layoutPictures: false }
  const refused = await document.parse({ options, fresh: false, accountId: 'other' })
  expect(refused?.code).toBe('FILE_MISSING')
  // Behind a dialog, the user would not see it.
  expect(document.actionFailure).toBeNull()
  const request = main.requests.find(({ route }) => route === 'documents.parse')
  expect(request?.payload).toMatchObject({ id: 'd', accountId: 'other' })
})

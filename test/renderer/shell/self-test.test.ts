import { expect, test } from 'vitest'
import {
  runPageCheck,
  type PageWorld,
} from '../../../src/renderer/src/shell/self-test/page-checks.ts'
import type { PageCheckId } from '../../../src/shared/self-test/checks.ts'
import { largeHashes } from '../../../src/shared/self-test/large-file.ts'
import { useSelfTest } from '../../../src/renderer/src/shell/self-test/self-test-store.ts'
import { toneWav } from '../../../src/main/self-test/samples.ts'
import { rendererSetup } from '../stores.ts'

// Each check passes on an intact page and fails on one where exactly this is broken.

const wav = toneWav(2)
const sha256 = largeHashes[32]

/** Returns a canvas that draws each text as a pattern of its own. */
function surface(change: { readonly blank?: boolean; readonly boxes?: boolean } = {}) {
  let colour: string | CanvasGradient | CanvasPattern = ''
  let pixels = new Uint8ClampedArray(48 * 48 * 4)
  return {
    font: '',
    textBaseline: 'top' as const,
    get fillStyle() {
      return colour
    },
    set fillStyle(next) {
      colour = next
    },
    fillRect() {
      if (!change.blank) pixels.set([0x1e, 0x90, 0xff, 255])
    },
    clearRect: () => void (pixels = new Uint8ClampedArray(48 * 48 * 4)),
    fillText(text: string) {
      if (!change.blank) pixels.set([0, 0, 0, change.boxes ? 9 : (text.codePointAt(0) ?? 0) % 251])
    },
    getImageData: () => ({ data: pixels }) as unknown as ImageData,
  }
}

const device = (kind: MediaDeviceKind, deviceId: string) => ({ kind, deviceId }) as MediaDeviceInfo
const track = (readyState: 'live' | 'ended') => ({ readyState, stop() {} })
const shared = (tracks: readonly object[]) =>
  ({
    getTracks: () => tracks,
    getVideoTracks: () => [],
    getAudioTracks: () => tracks,
  }) as unknown as MediaStream
const devices = (change: object = {}) =>
  ({
    getUserMedia: async () => shared([track('live')]),
    enumerateDevices: async () => [device('audioinput', 'default'), device('audioinput', 'a')],
    getDisplayMedia: async () => shared([track('live')]),
    ...change,
  }) as NonNullable<PageWorld['devices']>

const world = (change: Partial<PageWorld> = {}): PageWorld => ({
  host: 'electron',
  client: {
    request: async () => ({ ok: true, data: {} }) as never,
    mediaUrl: (id) => `/media/${id}`,
  },
  upload: async () => ({ ok: true, data: { media: { sha256 } } }) as never,
  read: async () => wav.buffer,
  readRange: async (_url, begin, end) => wav.slice(begin, end),
  devices: devices(),
  microphonePermission: async () => 'granted',
  listen: async () => 0.05,
  playTone: () => () => {},
  surface: () => surface(),
  hasWebgl: () => true,
  decode: async () => ({ seconds: 2, peak: 0.24 }),
  makesCode: () => false,
  globals: {},
  now: () => 0,
  ...change,
})
const run = (check: PageCheckId, change: Partial<PageWorld> = {}) =>
  runPageCheck({ runId: 'run', check, page: null, mediaId: 'self-test-x' }, world(change))

const broken = { code: 'DISK_FULL', message: '', retriable: false, at: 0 } as const
const absent = (): never => {
  throw new DOMException('no', 'NotFoundError')
}
const denied = (): never => {
  throw new DOMException('no', 'NotAllowedError')
}

const rows: readonly (readonly [PageCheckId, string, Partial<PageWorld>, string, string])[] = [
  [
    'page',
    'does not respond',
    { client: { request: async () => ({ ok: false, error: broken }) as never, mediaUrl: String } },
    'fail',
    'broke',
  ],
  [
    'computer-sound',
    'is denied computer audio',
    { devices: devices({ getDisplayMedia: async () => denied() }) },
    'fail',
    'denied',
  ],
  [
    'computer-sound',
    'receives no audio track',
    { devices: devices({ getDisplayMedia: async () => shared([]) }) },
    'fail',
    'silent',
  ],
  [
    'computer-sound',
    'receives a track that ends immediately',
    { devices: devices({ getDisplayMedia: async () => shared([track('ended')]) }) },
    'fail',
    'silent',
  ],
  [
    'computer-sound',
    'plays a tone that is not detected',
    { listen: async () => 0 },
    'fail',
    'toneNotDetected',
  ],
  [
    'computer-sound',
    'cannot capture its own audio',
    { devices: devices({ getDisplayMedia: async () => absent() }) },
    'unavailable',
    'notOffered',
  ],
  ['computer-sound', 'runs in a browser', { host: 'loopback' }, 'unavailable', 'asksEachTime'],
  ['isolation', 'has Node access', { globals: { require: () => {} } }, 'fail', 'exposed'],
  ['isolation', 'can evaluate code', { makesCode: () => true }, 'fail', 'exposed'],
  ['graphics', 'has no canvas', { surface: () => null }, 'fail', 'wrongResult'],
  ['graphics', 'draws nothing', { surface: () => surface({ blank: true }) }, 'fail', 'wrongResult'],
  ['graphics', 'has no WebGL, which is allowed', { hasWebgl: () => false }, 'pass', 'withoutWebgl'],
  [
    'fonts',
    'draws boxes instead of glyphs',
    { surface: () => surface({ boxes: true }) },
    'fail',
    'glyphsMissing',
  ],
  ['fonts', 'draws nothing', { surface: () => surface({ blank: true }) }, 'fail', 'glyphsMissing'],
  ['media', 'returns no range', { readRange: async () => null }, 'fail', 'wrongResult'],
  [
    'media',
    'returns another range',
    { readRange: async () => wav.slice(0, 100) },
    'fail',
    'wrongResult',
  ],
  [
    'media',
    'returns part of the file',
    { read: async () => wav.slice(0, 5000).buffer },
    'fail',
    'wrongResult',
  ],
  [
    'playback',
    'is silent',
    { decode: async () => ({ seconds: 2, peak: 0 }) },
    'fail',
    'wrongResult',
  ],
  [
    'playback',
    'ends early',
    { decode: async () => ({ seconds: 1, peak: 0.2 }) },
    'fail',
    'wrongResult',
  ],
  [
    'playback',
    'throws',
    { decode: () => Promise.reject(new TypeError('/home/ada')) },
    'fail',
    'broke',
  ],
  [
    'upload',
    'has its upload rejected',
    { upload: async () => ({ ok: false, error: broken }) },
    'fail',
    'broke',
  ],
  [
    'upload',
    'uploads changed bytes',
    { upload: async () => ({ ok: true, data: { media: { sha256: 'other' } } }) as never },
    'fail',
    'wrongResult',
  ],
  [
    'microphone',
    'has no microphone permission',
    { microphonePermission: async () => 'denied' },
    'fail',
    'denied',
  ],
  [
    'microphone',
    'is denied when it opens the microphone',
    { devices: devices({ getUserMedia: async () => denied() }) },
    'fail',
    'denied',
  ],
  [
    'microphone',
    'finds the microphone in use by another program',
    {
      devices: devices({
        getUserMedia: () => Promise.reject(new DOMException('no', 'NotReadableError')),
      }),
    },
    'fail',
    'microphoneBusy',
  ],
  ['microphone', 'receives only zeros', { listen: async () => 0 }, 'fail', 'microphoneSilent'],
  [
    'microphone',
    'would have to request permission, and does not',
    {
      microphonePermission: async () => 'prompt',
      devices: devices({ getUserMedia: async () => denied() }),
    },
    'pass',
    'devices',
  ],
  ['microphone', 'may not request the microphone', { devices: null }, 'fail', 'denied'],
  [
    'microphone',
    'has no microphone',
    { devices: devices({ enumerateDevices: async () => [] }) },
    'unavailable',
    'noMicrophone',
  ],
]
test.each(rows)('%s: a page that %s', async (check, _, change, result, note) => {
  const outcome = await run(check, change)
  expect(outcome).toMatchObject({ result, note })
  expect(JSON.stringify(outcome)).not.toContain('ada')
})

test('passes every check on an intact page', async () => {
  const checks = [...new Set(rows.map(([check]) => check))]
  for (const check of checks)
    expect([check, await run(check)]).toMatchObject([check, { result: 'pass' }])
})

test('answers requests to itself or any page once, and none to another page', async () => {
  const page = rendererSetup()
  page.run(() => useSelfTest())
  page.main.answer('selfTest.answer', () => ({}))
  await page.settle()
  const ask = (runId: string, of: string | null) =>
    page.main.app({
      type: 'self-test.ask',
      ask: { runId, check: 'isolation', page: of, mediaId: '' },
    })
  ask('run-1', 'another-page')
  ask('run-2', null)
  ask('run-2', null)
  const answers = () => page.main.requests.filter(({ route }) => route === 'selfTest.answer')
  await expect.poll(() => answers().length).toBe(1)
  await page.settle()
  expect(answers()).toMatchObject([{ payload: { runId: 'run-2', check: 'isolation' } }])
})

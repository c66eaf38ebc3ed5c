import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bm25, countTokens } from '../../src/shared/text/bm25.ts'
import { isEnglish } from '../../src/shared/text/language.ts'
import { ngramVector } from '../../src/local-service/engines/text-ngrams.ts'
import { dot, project, unit } from '../../src/local-service/engines/text-vectors.ts'
import { windowsOf } from '../../src/local-service/engines/text-windows.ts'
import { createTextEngine, TextFailure } from '../../src/local-service/engines/text.ts'
import type { TextEngine } from '../../src/local-service/engines/text.ts'
import { modelsDir, workerUrls } from './fixtures/service.ts'
import { workerEvents, reportingWorker } from './fixtures/worker-events.ts'

const deps = { workerUrl: workerUrls.text, modelsDir, stallMs: 60_000, idleMs: 60_000 }
const open = (options: Partial<typeof deps> = {}): TextEngine =>
  createTextEngine({ ...deps, ...options })

let engine: TextEngine
// A model needs time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 })
beforeAll(() => {
  engine = open()
})
afterAll(() => engine.stop())

const never = new AbortController().signal
const vectorsOf = async (texts: readonly string[], dimensions = 512) =>
  (await engine.embed(texts, dimensions, never)).vectors

/** Returns how much closer the first text is to the second than to any of the others. */
async function margin([text, near, ...far]: readonly string[], dimensions: number) {
  const [one, other, ...rest] = await vectorsOf([text ?? '', near ?? '', ...far], dimensions)
  if (!one || !other) throw new Error('No vectors')
  return dot(one, other) - Math.max(...rest.map((vector) => dot(one, vector)))
}

test('places texts of similar meaning closer than others, in every number of dimensions', async () => {
  const sets = [
    ['How old are you?', 'What is your age?', 'Where is the station?', 'The soup is too hot.'],
    [
      'The company made more money this year.',
      'Profits of the firm rose.',
      'The cat sleeps on the sofa.',
      'Turn left after the bridge.',
    ],
    ['我想申请年假', '年假的申请方法', '打印机坏了', '今天食堂吃什么'],
    ['如何修改密码', '密码修改步骤', '会议室在三楼', '发票怎么开'],
    ['会議室の予約方法', '会議室を予約する', '今日の天気', 'プリンターの故障'],
    [
      'Wie beantrage ich Urlaub?',
      'Der Urlaub wird so beantragt',
      'Der Drucker ist kaputt',
      'Was gibt es heute zu essen?',
    ],
  ]
  for (const set of sets)
    for (const dimensions of [256, 512, 1024, 2048])
      expect(
        await margin(set, dimensions),
        `${set[0]} in ${dimensions} dimensions`,
      ).toBeGreaterThan(0.1)
})

test('returns the same unit vectors in every engine and for any batching', async () => {
  const texts = ['Good morning.', '', ' ', '?!', '早', 'x', 'Ärger', 'The end. '.repeat(400), '🙂']
  const other = open()
  const again = await other.embed(texts, 256, never)
  await other.stop()
  const { vectors, methods } = await engine.embed(texts, 256, never)
  expect(again.methods).toEqual(methods)
  for (const [i, vector] of vectors.entries()) {
    expect(vector).toHaveLength(256)
    expect(Math.sqrt(dot(vector, vector)), texts[i]).toBeCloseTo(1, 5)
    expect(again.vectors[i], texts[i]).toEqual(vector)
    const [alone] = await vectorsOf([texts[i] ?? ''], 256)
    expect(dot(alone ?? vector.subarray(0, 0), vector), texts[i]).toBeCloseTo(1, 4)
  }
  expect(await vectorsOf([])).toEqual([])
  expect(await engine.rank('x', [], never)).toEqual([])
})

test('reads a long text to its end', async () => {
  const filler = 'The committee discussed the colour of the new curtains at length. '.repeat(20)
  const [plain, ending, question] = await vectorsOf([
    filler,
    `${filler}${'Penguins swim in the cold sea. '.repeat(20)}`,
    'Penguins swim in the cold sea.',
  ])
  if (!plain || !ending || !question) throw new Error('No vectors')
  expect(dot(question, ending)).toBeGreaterThan(dot(question, plain) + 0.2)
})

test('preserves cosines in projections: exactly to more dimensions, within 0.15 to 256', () => {
  let state = 7
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
  const base = Float32Array.from({ length: 512 }, random)
  // Pairs from nearly equal to unrelated.
  const pairs = Array.from({ length: 200 }, (_, i) => {
    const other = base.map((value) => (1 - i / 200) * value + (i / 200) * random() * 2)
    return [unit(Float32Array.from(base)), unit(other)] as const
  })
  const worst = (dimensions: number): number =>
    Math.max(
      ...pairs.map(([a, b]) =>
        Math.abs(dot(a, b) - dot(project(a, dimensions), project(b, dimensions))),
      ),
    )
  expect(worst(512)).toBe(0)
  expect(worst(1024)).toBeLessThan(1e-5)
  expect(worst(2048)).toBeLessThan(1e-5)
  expect(worst(256)).toBeLessThan(0.15)
  expect(worst(256)).toBeGreaterThan(0)
  for (const dimensions of [1, 100, 256, 768, 3000])
    expect(project(base, dimensions)).toHaveLength(dimensions)
})

test('distinguishes English from other languages', () => {
  const english = [
    'The meeting starts at noon on Monday.',
    'Reset password',
    'Is this the café you told me about?',
    'He works for Müller & Söhne in Munich and comes home on Fridays.',
    'invoice 2024-07',
    'What is the die casting process?',
    'Use 微信 to pay for it when you are in the shop.',
    'I WAS IN AN AN OFFICE',
    'Kubernetes',
  ]
  const others = [
    'Die Besprechung beginnt am Montag um zwölf Uhr.',
    'Bitte senden Sie den Bericht an das ganze Team.',
    'La réunion commence lundi à midi.',
    'Nous devons commander du papier pour la machine.',
    'La reunión empieza el lunes al mediodía.',
    'El tren llega con veinte minutos de retraso.',
    'La riunione inizia lunedì a mezzogiorno, non prima.',
    'A reunião começa na segunda-feira ao meio-dia.',
    'De vergadering begint maandag om twaalf uur.',
    'Mötet börjar på måndag klockan tolv.',
    'Spotkanie zaczyna się w poniedziałek w południe.',
    'Toplantı pazartesi öğlen başlıyor.',
    'Rapat dimulai pada hari Senin dan tidak bisa ditunda.',
    'Cuộc họp bắt đầu vào trưa thứ hai.',
    '会议周一中午开始。',
    '会議は月曜日の正午に始まります。',
    '회의는 월요일 정오에 시작합니다.',
    'Совещание начинается в понедельник.',
    'الاجتماع يبدأ يوم الاثنين',
    '请用 Lectern 打开 PDF 文件',
    '12345',
    '',
    '?!',
  ]
  for (const text of english) expect(isEnglish(text), text).toBe(true)
  for (const text of others) expect(isEnglish(text), text).toBe(false)
})

test('splits the whole text into windows that end at sentences and are halved until they fit', () => {
  const text = Array.from({ length: 60 }, (_, i) => `Sentence ${i} is here.`).join(' ')
  const windows = windowsOf(text, () => true)
  expect(windows.join(' ')).toBe(text)
  for (const window of windows) {
    expect(window.length).toBeLessThanOrEqual(400)
    expect(window).toMatch(/^Sentence.*\.$/)
  }
  const small = windowsOf(text, (window) => window.length <= 30)
  expect(small.join(' ')).toBe(text)
  for (const window of small) expect(window.length).toBeLessThanOrEqual(30)
  const unbroken = '🙂'.repeat(1000)
  expect(windowsOf(unbroken, () => true).join('')).toBe(unbroken)
  for (const window of windowsOf(`x${unbroken}`, () => true))
    expect(window.isWellFormed()).toBe(true)
  expect(windowsOf(' \n ', () => true)).toEqual([])
})

test('hashed n-grams: reordered words are close, other words are not', () => {
  const near = (a: string, b: string) => dot(ngramVector(a, 1024), ngramVector(b, 1024))
  expect(near('会议室 预订', '预订 会议室')).toBeCloseTo(1, 5)
  expect(near('Ｐａｒｉｓ', 'paris')).toBeCloseTo(1, 5)
  expect(near('Tageslichtlampe', 'Tageslichtlampen')).toBeGreaterThan(0.6)
  expect(Math.abs(near('会议室预订', '打印机坏了'))).toBeLessThan(0.15)
  expect(Math.abs(near('Совещание', 'Принтер'))).toBeLessThan(0.15)
})

test('computes BM25 as calculated by hand', () => {
  // N = 2, average length 3. "cat" is in one: idf = ln(1 + 1.5 / 1.5) = ln 2. "the" is in both: ln(1 + 0.5 / 2.5) = ln 1.2.
  const counted = (...tokens: string[]) => countTokens(tokens, new Set(['cat', 'the']))
  const documents = [counted('the', 'cat', 'cat', 'sat'), counted('the', 'dog')]
  const { scores, full } = bm25(['cat', 'the'], documents)
  // Length 4: k = 1.2 * (0.25 + 0.75 * 4 / 3) = 1.5. Length 2: k = 1.2 * (0.25 + 0.75 * 2 / 3) = 0.9.
  expect(scores[0]).toBeCloseTo(
    (Math.log(2) * 2 * 2.2) / (2 + 1.5) + (Math.log(1.2) * 2.2) / (1 + 1.5),
    12,
  )
  expect(scores[1]).toBeCloseTo((Math.log(1.2) * 2.2) / (1 + 0.9), 12)
  expect(full).toBeCloseTo(Math.log(2) + Math.log(1.2), 12)
  // Ten documents without the words: "cat" has idf ln(1 + 11.5 / 1.5).
  expect(bm25(['cat'], [counted('cat')], 11).scores[0]).toBeCloseTo(Math.log(1 + 11.5 / 1.5), 12)
  expect(bm25([], documents).scores).toEqual([0, 0])
})

test('makes no network requests', async () => {
  const workerUrl = new URL('./fixtures/offline-text-worker.mjs', import.meta.url)
  const offline = open({ workerUrl })
  try {
    const { methods } = await offline.embed(['Good morning', '早上好'], 512, never)
    expect(methods).toEqual(['encoder', 'n-grams'])
  } finally {
    await offline.stop()
  }
})

test('is unavailable without its model, and available once it is installed', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'lectern-models-'))
  const bare = open({ modelsDir: empty })
  try {
    const failed = await bare.embed(['Good morning'], 512, never).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(TextFailure)
    expect(failed).toMatchObject({ trouble: 'engine-unavailable' })
    await cp(join(modelsDir, 'use-en'), join(empty, 'use-en'), { recursive: true })
    expect((await bare.embed(['Good morning'], 512, never)).methods).toEqual(['encoder'])
  } finally {
    await bare.stop()
    await rm(empty, { recursive: true, force: true })
  }
})

test('stops between two steps when the caller disconnects, and serves the next', async () => {
  const reporter = workerEvents()
  const watched = open({ workerUrl: reportingWorker('text') })
  try {
    const steps = (): number => reporter.events.filter((event) => event === 'progress').length
    const leave = new AbortController()
    const texts = Array.from(
      { length: 4800 },
      (_, i) => `Sentence number ${i} is not short at all.`,
    )
    const work = watched.embed(texts, 512, leave.signal).catch((error: unknown) => error)
    await expect.poll(steps).toBeGreaterThan(0)
    leave.abort()
    expect(await work).toMatchObject({ trouble: 'cancelled' })
    await watched.embed(['Good morning'], 512, never)
    // Of three hundred steps, those before the abort was noticed.
    expect(steps()).toBeLessThan(150)
  } finally {
    await watched.stop()
    reporter.stop()
  }
})

test('does not delay a short request behind a long list', async () => {
  const order: string[] = []
  const texts = Array.from({ length: 80 }, (_, i) => `Sentence number ${i} is one of many.`)
  const long = engine.embed(texts, 512, never).then(() => order.push('long'))
  const short = engine.embed(['Good morning'], 512, never).then(() => order.push('short'))
  await Promise.all([long, short])
  expect(order).toEqual(['short', 'long'])
})

test('cancels requests after the stop', async () => {
  const short = open()
  const waiting = short.embed(['Good morning'], 512, never).catch((error: unknown) => error)
  await short.stop()
  expect(await waiting).toMatchObject({ trouble: 'cancelled' })
  const late = await short.embed(['x'], 512, never).catch((error: unknown) => error)
  expect(late).toMatchObject({ trouble: 'cancelled' })
})

import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createLog,
  createRedactor,
  maxTextLength,
  mask,
} from '../../../../src/main/platform/security/redact.ts'
import { growsWithItsInput } from '../../../fixtures/growth.ts'

const key = 'id.s3cr3t/+=&"\\ k€y'

test('masks a registered key in every encoding', () => {
  const redactor = createRedactor()
  redactor.register(key)
  const base64 = (before: string): string => Buffer.from(before + key + '!').toString('base64')
  for (const text of [
    key,
    JSON.stringify({ a: key }),
    JSON.stringify(JSON.stringify({ a: key })),
    encodeURIComponent(key),
    encodeURIComponent(key).toLowerCase(),
    encodeURIComponent(encodeURIComponent(key)),
    new URLSearchParams({ q: key }).toString(),
    base64(''),
    base64('1'),
    base64('22'),
    base64('key='),
    base64('').replaceAll('+', '-').replaceAll('/', '_'),
    Buffer.from(key).toString('hex'),
    Buffer.from(key).toString('hex').toUpperCase(),
    key.toUpperCase(),
  ]) {
    const safe = redactor.redact(`before ${text} after`)
    expect(safe).toContain(mask)
    expect(safe.startsWith('before ') && safe.endsWith(' after')).toBe(true)
    expect(safe).not.toMatch(/s3cr3t|czNjcjN0/i)
  }
})

test('masks any key in any context and encoding', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcXYZ019.-_/+=% "\\é钥'.split('')) })
  fc.assert(
    fc.property(
      letters.filter((text) => text.length >= 8 && text.trim() === text),
      fc.string(),
      fc.string(),
      fc.constantFrom(
        (text: string) => text,
        (text: string) => JSON.stringify(text),
        (text: string) => encodeURIComponent(text.toWellFormed()),
        (text: string) => Buffer.from(text).toString('base64'),
      ),
      (secret, before, after, encode) => {
        const redactor = createRedactor()
        redactor.register(secret)
        const safe = redactor.redact(encode(before + secret + after))
        expect(safe).toContain(mask)
        for (const form of [secret, JSON.stringify(secret).slice(1, -1)])
          if (!mask.includes(form)) expect(safe).not.toContain(form)
      },
    ),
    { numRuns: 500 },
  )
})

test('masks unregistered credentials by their pattern', () => {
  const { redact } = createRedactor()
  for (const [text, safe] of [
    ['Authorization: Bearer abc-DEF_123.xyz', `Authorization: Bearer ${mask}`],
    ['"authorization":"bearer abc"', `"authorization":"bearer ${mask}"`],
    ['Basic dXNlcjpwYXNz', `Basic ${mask}`],
    ['id 0123456789abcdef0123456789abcdef.AbCdEfGhIjKlMnOp ok', `id ${mask} ok`],
    ['jwt eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl ok', `jwt ${mask} ok`],
    ['GET /x?api_key=abcdef&y=1', `GET /x?api_key=${mask}&y=1`],
    ['{"password": "hunter2", "n": 1}', `{"password": "${mask}", "n": 1}`],
    ['password: hunter2', `password: ${mask}`],
    ['password: swordfish', `password: ${mask}`],
    ['password: swordfish, user: me', `password: ${mask}, user: me`],
    ['password: Tr0ub4dor is wrong', `password: ${mask} is wrong`],
    ['password=swordfish is wrong', `password=${mask} is wrong`],
    ['"secret": "open sesame now"', `"secret": "${mask}"`],
    ['token:abcdef is wrong', `token:${mask} is wrong`],
    ['Authorization: Bearer abcdef is wrong', `Authorization: Bearer ${mask} is wrong`],
    ['bearer abcdef', `bearer ${mask}`],
    [
      'bearer token.s3cr3t and password: no.s3cr3t here',
      `bearer ${mask} and password: ${mask} here`,
    ],
    ['Bearer abc123 is wrong', `Bearer ${mask} is wrong`],
  ] as const)
    expect(redact(text)).toBe(safe)
})

test('masks keys of other providers and signatures of URLs in free text', () => {
  const { redact } = createRedactor()
  for (const [text, safe] of [
    ['Authorization: Token 9f86d081884c7d65', `Authorization: Token ${mask}`],
    ['Authorization: token abcdef ok', `Authorization: token ${mask} ok`],
    ['authorization: ApiKey abcdef', `authorization: ApiKey ${mask}`],
    ['"Authorization": "Token abc def"', `"Authorization": "Token ${mask}"`],
    ['Authorization=abcdef0123456789', `Authorization=${mask}`],
    ['key sk-proj-AbC_0123456789def ok', `key ${mask} ok`],
    ['sk-0123456789abcdefghij', mask],
    [
      'GET https://b.s3.amazonaws.com/a?X-Amz-Date=1&X-Amz-Signature=0af9&X-Amz-Credential=AKIA/1 gone',
      `GET https://b.s3.amazonaws.com/a?X-Amz-Date=1&X-Amz-Signature=${mask}&X-Amz-Credential=${mask} gone`,
    ],
    ['?X-Amz-Security-Token=ab%2Fc&b=1', `?X-Amz-Security-Token=${mask}&b=1`],
    [
      'https://a.b/c?AWSAccessKeyId=AKIA1&Expires=1&Signature=abc%3D',
      `https://a.b/c?AWSAccessKeyId=${mask}&Expires=1&Signature=${mask}`,
    ],
    ['https://a.b/c?sv=1&sig=ab%2B, then', `https://a.b/c?sv=1&sig=${mask}, then`],
    [
      'https://a.b/c?OSSAccessKeyId=LTAI&token=abc&access_token=d',
      `https://a.b/c?OSSAccessKeyId=${mask}&token=${mask}&access_token=${mask}`,
    ],
    ['https://a.b/c?q-signature=abc&x=1', `https://a.b/c?q-signature=${mask}&x=1`],
    [
      'https%3A%2F%2Fa.b%2Fc%3Fa%3D1%26Signature%3Dabc%26b%3D2',
      `https%3A%2F%2Fa.b%2Fc%3Fa%3D1%26Signature%3D${mask}%26b%3D2`,
    ],
  ] as const)
    expect(redact(text)).toBe(safe)
})

test('leaves sentences about keys and signatures unchanged', () => {
  const { redact } = createRedactor()
  for (const text of [
    'Authorization: the header is missing',
    'authorization is required',
    'the risk-averse sk-learn user, a task-force-of-the-year and desk-organizer-for-home',
    'the signature of the page, Signature: Anna Smith',
    'sig=figure of speech? &c.',
    'https://a.b/c?page=2&sign=no&tokens=12&design=blue',
  ])
    expect(redact(text)).toBe(text)
})

test('masks whole passwords: in proxy URLs, in variables, with spaces in quotes', () => {
  const { redact, fields } = createRedactor()
  for (const [text, shown] of [
    ['no way to http://user:hunter22@proxy:3128', `no way to http://user:${mask}@proxy:3128`],
    ['{"password":"open sesame now","a":1}', `{"password":"${mask}","a":1}`],
    [String.raw`{"apiKey": "a\"b c"}`, `{"apiKey": "${mask}"}`],
    ['LECTERN_PDF_PASSWORD=xyzzy', `LECTERN_PDF_PASSWORD=${mask}`],
    ['LECTERN_KEY=abcdefg', `LECTERN_KEY=${mask}`],
    ['see https://a.b:8080/c@d and a@b.c', 'see https://a.b:8080/c@d and a@b.c'],
  ] as const)
    expect(redact(text)).toBe(shown)
  expect(fields({ pdfPassword: 'a', passphrase: 'b', 'x-api-key': 'c', passwords: 2 })).toEqual({
    pdfPassword: mask,
    passphrase: mask,
    'x-api-key': mask,
    passwords: 2,
  })
})

test('masks a key in every JSON spelling, including JSON in JSON', () => {
  const slashed = 'sk/AbCd"efGH\\0123+4567/xyzw=='
  const redactor = createRedactor()
  redactor.register(slashed)
  const escaped = Array.from(slashed).map(
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const json = Array.from(slashed).map((c) => JSON.stringify(c).slice(1, -1))
  let wire = [
    escaped.join(''),
    escaped.join('').toUpperCase().replaceAll('\\U', '\\u'),
    json.join('').replaceAll('/', '\\/'),
    json.map((c, at) => (at % 2 === 0 ? c : (escaped[at] ?? ''))).join(''),
  ]
  for (let level = 0; level < 3; level += 1) {
    for (const text of wire) expect(redactor.maskKnown(`"a${text}b"`)).toBe(`"a${mask}b"`)
    wire = wire.map((text) => JSON.stringify(text).slice(1, -1))
  }
  for (const start of ['\\', '\\u0073', 'sk/AbCd'])
    expect(
      growsWithItsInput((times) =>
        redactor.maskKnown(start.repeat((50_000 * times) / start.length)),
      ),
    ).toBe(true)
})

test('removes only the key from text that must stay as received', () => {
  const redactor = createRedactor()
  redactor.register(key)
  const text = 'my password: hunter2, Bearer of bad news'
  expect(redactor.maskKnown(`${text} ${key}`)).toBe(`${text} ${mask}`)
  expect(createRedactor().maskKnown(text)).toBe(text)
})

test('leaves ordinary words unchanged', () => {
  const redactor = createRedactor()
  redactor.register('short')
  for (const text of [
    'short and basic usage of a basic account',
    'the token count was 12 and promptTokens 7',
    'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'must not be protected by a password: remove the protection first',
    'Unlock the file with its password: the page asks for it.',
    'The token: its lifetime is over',
    'A bearer token is missing, and Bearer of bad news is a title',
    'The secret: nobody knows it.',
    '一个普通的句子',
  ])
    expect(redactor.redact(text)).toBe(text)
})

test('redacts log fields at every depth, and handles unusual values', () => {
  const lines: string[] = []
  const redactor = createRedactor()
  redactor.register(key)
  const log = createLog({ write: (line) => lines.push(line), redactor, clock: () => 0 })
  const cycle: Record<string, unknown> = { name: 'cycle' }
  cycle['self'] = cycle
  const error = new Error(`with ${key}`, { cause: new Error(`inner ${key}`) })
  log.error(`failed with ${key}`, {
    error,
    cycle,
    list: [key, { deep: [key] }],
    map: new Map([[key, key]]),
    set: new Set([key]),
    bytes: Buffer.from(key),
    headers: { Authorization: 'anything', 'x-log-id': 'keep' },
    apiKey: 'anything',
    cookie: null,
    big: 10n,
    when: new Date(NaN),
    url: new URL(`https://example.com/?k=${encodeURIComponent(key)}`),
    call: () => key,
    get thrower(): never {
      throw new Error(key)
    },
  })
  log.warn('fine', {
    cycle,
    headers: { Authorization: 'anything', 'x-log-id': 'keep' },
    list: [key, { deep: [key] }],
    error,
    promptTokens: 5,
    keyboard: 'kept',
  })
  log.info('no fields')
  for (const line of lines) {
    expect(line).not.toContain('\n')
    expect(line).not.toMatch(/s3cr3t|czNjcjN0|anything/)
  }
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(parsed[0]).toMatchObject({ level: 'error', message: `failed with ${mask}` })
  expect(parsed[1]).toMatchObject({
    at: '1970-01-01T00:00:00.000Z',
    level: 'warn',
    fields: {
      cycle: { name: 'cycle', self: '[circular]' },
      headers: { Authorization: mask, 'x-log-id': 'keep' },
      list: [mask, { deep: [mask] }],
      error: { name: 'Error', message: `with ${mask}`, cause: { message: `inner ${mask}` } },
      promptTokens: 5,
      keyboard: 'kept',
    },
  })
  expect(parsed[2]).toEqual({ at: '1970-01-01T00:00:00.000Z', level: 'info', message: 'no fields' })
})

test('any fields become one JSON line without the key', () => {
  const redactor = createRedactor()
  redactor.register(key)
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
    values: [fc.string(), fc.constant(key), fc.double(), fc.constant(undefined)],
  })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (fields) => {
      let line = ''
      createLog({ write: (text) => (line = text), redactor, clock: () => 0 }).info('m', fields)
      expect(() => JSON.parse(line) as unknown).not.toThrow()
      expect(inspect(line)).not.toContain('s3cr3t')
    }),
  )
})

test('finds a token after any prefix', () => {
  const { redact } = createRedactor()
  const token = 'eyJhbGciOiJIUzI1.eyJzdWIiOiIx-_x.c2lnbmF0dXJl'
  for (const before of ['', 'x-', 'a.', 'eyJhbGciOiJI-', '"', 'eyJeyJeyJeyJ.'])
    expect(redact(`${before}${token} ok`)).not.toMatch(/c2lnb|sdWIi/)
  expect(redact(`Basic ${'a'.repeat(200)}Zz90`)).toBe(`Basic ${mask}`)
})

test('the cost of a long text is linear in its length', () => {
  const { register, redact, fields } = createRedactor()
  register(key)
  const units = [
    'basic+',
    'Basic ',
    'eyJaaaaaaaa-',
    'eyJaaaaaaaa.',
    'token ',
    'bearer ',
    '0123456789abcdef',
  ]
  for (const unit of units) {
    const text = (kb: number): string => unit.repeat(Math.ceil((kb * 1024) / unit.length))
    // The patterns themselves, on the part of a text that is read: an eighth of it, and all.
    const read = text(4).slice(0, 4096)
    const rounds = (part: string) => () => {
      for (let round = 0; round < 2000; round++) redact(part)
    }
    const whole = rounds(read)
    const eighth = rounds(read.slice(0, 512))
    expect(
      growsWithItsInput((times) => (times === 8 ? whole() : eighth())),
      unit,
    ).toBe(true)
    // Text beyond the limit costs nothing: two thousand times the text takes less than forty times as long.
    const [short, endless] = [text(16), text(32_768)]
    const four = (part: string) => [1, 2, 3, 4].map(() => redact(part))
    expect(
      growsWithItsInput((times) => four(times === 8 ? endless : short)),
      unit,
    ).toBe(true)
    const longer = text(64)
    expect(redact(longer).length).toBeLessThanOrEqual(maxTextLength + 1)
    expect(JSON.stringify(fields({ longer })).length).toBeLessThan(2 * maxTextLength)
  }
})

test('leaves no partial key where a long text is truncated', () => {
  const redactor = createRedactor()
  const long = `${'k3y'.repeat(300)}-end`
  redactor.register(key)
  redactor.register(long)
  for (let before = maxTextLength - 1200; before < maxTextLength + 1200; before += 7) {
    const text = `${'x'.repeat(before)}${key}${long}${'y'.repeat(5000)}`
    expect(redactor.redact(text)).not.toMatch(/id\.s3|k3y/)
    expect(JSON.stringify(redactor.fields({ text }))).not.toMatch(/id\.s3|k3y/)
  }
  // Masks are shorter than the text they replace: the edge must not move into the returned part.
  expect(redactor.redact(long.repeat(20))).not.toContain('k3y')
  expect(redactor.redact(key.repeat(2000))).not.toContain('s3cr')
})

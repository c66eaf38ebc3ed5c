import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exitCodes } from '../../src/cli/outcome.ts'
import { removal } from '../../src/system/file-moves.ts'
import { run, type Command, type Ended } from './fixture.ts'

const patience = 180_000
const password = 'open-sesame 字'

let folder: string
let serial = 0
let home: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-cli-here-'))
  await writeFile(join(folder, 'lamps.md'), '# Lamps\n\nThe lamp is lit at dusk.\n')
  await writeFile(join(folder, 'empty.md'), '\n')
  const text = (n: number) =>
    `# Part ${n}\n\nBarrel ${n} holds oil for ${n} nights of the winter.\n`
  const many = Array.from({ length: 400 }, (_, n) => text(n)).join('\n')
  await writeFile(join(folder, 'many.md'), many)
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const words = 'The keeper locks the tower at noon.'
  pdf.addPage([400, 300]).drawText(words, { x: 30, y: 200, size: 14, font })
  pdf.encrypt({ userPassword: password, ownerPassword: 'another' })
  await writeFile(join(folder, 'locked.pdf'), await pdf.save())
})
afterAll(() => rm(folder, removal))
beforeEach(() => {
  home = join(folder, `home-${(serial += 1)}`)
})

const here = (args: readonly string[], more: Partial<Command> = {}): Promise<Ended> =>
  run({
    args,
    cwd: folder,
    ...more,
    env: {
      LECTERN_HOME: home,
      LECTERN_KEY: undefined,
      LECTERN_PDF_PASSWORD: undefined,
      ...more.env,
    },
  })
const valueOf = <T>(ended: Ended): T => {
  expect(ended.code, ended.stderr).toBe(0)
  return (ended.json()[0] as { value: T }).value
}
async function newBase(): Promise<string> {
  const args = ['knowledge.create', '--name', 'Coast', '--embedding-id', '11']
  return valueOf<{ id: string }>(await here(args)).id
}
const upload = (base: string, file: string, ...more: readonly string[]): Promise<Ended> =>
  here([
    'documents.upload',
    '--knowledge-id',
    base,
    '--files',
    file,
    '--knowledge-type',
    '1',
    ...more,
  ])
const retrieve = (base: string, query: string, ...more: readonly string[]): Promise<Ended> =>
  here(['knowledge.retrieve', '--query', query, '--knowledge-ids', base, ...more])
const textsOf = (ended: Ended): string =>
  valueOf<readonly { text: string }[]>(ended)
    .map(({ text }) => text)
    .join('\n')

test(
  'waits until an on-device upload is indexed, so that the next call finds it',
  async () => {
    const base = await newBase()
    const uploaded = await upload(base, 'lamps.md')
    expect(uploaded.code, uploaded.stderr).toBe(0)
    expect(uploaded.stderr).toContain('Indexed 1 of 1: lamps.md')
    const found = await retrieve(base, 'When is the lamp lit?')
    expect(textsOf(found)).toContain('lit at dusk')
    expect(found.stderr).toBe('')
  },
  patience,
)

test(
  'reports a document that cannot be indexed with the reason',
  async () => {
    const base = await newBase()
    const uploaded = await upload(base, 'empty.md')
    expect(uploaded.stderr).toMatch(/^Not indexed: empty\.md \(.*no text.*\)$/m)
  },
  patience,
)

test(
  'reports that a knowledge base is empty, and how many documents are not indexed yet',
  async () => {
    const base = await newBase()
    const nothing = await retrieve(base, 'barrel')
    expect(nothing.code).toBe(0)
    expect(nothing.stderr).toContain('Knowledge base Coast has no documents.')
    const left = await upload(base, 'many.md', '--no-wait')
    expect(left.code, left.stderr).toBe(0)
    expect(left.stderr).toContain('1 document is not indexed yet')
    const early = await retrieve(base, 'barrel', '--no-wait')
    expect(early.stderr).toContain('1 document is not indexed yet')
    // Without the flag the search indexes the rest first.
    const whole = await retrieve(base, 'barrel 399')
    expect(whole.stderr).toContain('Indexed 1 of 1: many.md')
    expect(textsOf(whole)).toContain('Barrel')
  },
  patience,
)

test(
  'continues interrupted indexing with the next search',
  async () => {
    const base = await newBase()
    const cut = await here(
      ['documents.upload', '--knowledge-id', base, '--files', 'many.md', '--knowledge-type', '1'],
      { interruptAt: 'many.md' },
    )
    expect(cut.code).toBe(exitCodes.cancelled)
    expect(cut.stderr).toContain('resumes it')
    const whole = await retrieve(base, 'barrel 12')
    expect(textsOf(whole)).toContain('Barrel')
  },
  patience,
)

test(
  'reads a password from the environment, a file or standard input, never from an argument',
  async () => {
    const parse = ['layout.parse', '--file', 'locked.pdf']
    const words = 'The keeper locks the tower at noon.'
    const byEnvironment = await here(parse, { env: { LECTERN_PDF_PASSWORD: password } })
    expect(byEnvironment.stdout, byEnvironment.stderr).toContain(words)
    await writeFile(join(folder, 'password.txt'), `${password}\n`)
    const byFile = await here([...parse, '--password-file', 'password.txt'])
    expect(byFile.stdout, byFile.stderr).toContain(words)
    const byInput = await here(parse, { stdin: `${password}\nmore\n` })
    expect(byInput.stdout, byInput.stderr).toContain(words)
    const base = await newBase()
    const uploaded = await here(
      [
        'documents.upload',
        '--knowledge-id',
        base,
        '--files',
        'locked.pdf',
        '--knowledge-type',
        '1',
      ],
      { env: { LECTERN_PDF_PASSWORD: password } },
    )
    expect(uploaded.stderr).toContain('Indexed 1 of 1: locked.pdf')

    const byArgument = await here([...parse, `--password=${password}`])
    expect(byArgument.code).toBe(exitCodes.usage)
    expect(byArgument.stderr).toContain('never an option')
    expect(byArgument.stderr).not.toContain(password)
    const without = await here(parse)
    expect(without.code).toBe(exitCodes.usage)
    expect(String(without.error()['message'])).toContain('LECTERN_PDF_PASSWORD')
    const wrong = await here(parse, { env: { LECTERN_PDF_PASSWORD: 'wrong one' } })
    expect(wrong.code).toBe(exitCodes.usage)
    expect(wrong.error()['message']).toBe('Incorrect password for locked.pdf')
  },
  patience,
)

test(
  'sends a locked PDF to another provider unlocked, and keeps its password messages readable',
  async () => {
    const bodies: string[] = []
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => void chunks.push(chunk))
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString('latin1'))
        response.writeHead(400, { 'content-type': 'application/json' })
        const message = 'The file must not be protected by a password: remove the protection first.'
        response.end(JSON.stringify({ error: { code: '1214', message } }))
      })
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const ended = await here(
      ['layout.parse', '--file', 'locked.pdf', '--base-url', `http://127.0.0.1:${port}`],
      // Both are prompted for when not given otherwise: the key first.
      { stdin: `a-key-of-the-test\n${password}\n` },
    )
    await new Promise((resolve) => void server.close(resolve))
    expect(bodies).toHaveLength(1)
    const sent = JSON.parse(bodies[0] ?? '{}') as { file: string }
    const bytes = Buffer.from(sent.file.replace(/^data:[^,]*,/, ''), 'base64')
    const pdf = await PDFDocument.load(bytes)
    expect([pdf.isEncrypted, pdf.getPageCount()]).toEqual([false, 1])
    expect(ended.stderr).toContain('remove the protection first')
  },
  patience,
)

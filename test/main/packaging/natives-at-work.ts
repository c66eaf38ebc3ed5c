import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import Database from 'better-sqlite3'
import { openPdf } from '../../../src/main/domains/documents/worker/pdf/library.ts'
import { pdfOf } from '../../local-service/fixtures/pdf.ts'
import { pageImage } from '../../../src/main/domains/documents/worker/pdf/page-image.ts'
import { createKeyring } from '../../../src/main/platform/secrets/keyring.ts'

/**
 * Runs in a separate process: executes all functions of a native package that return bytes to JavaScript, and prints the
 * result of each step as JSON, bytes as a hash. Argument: the package.
 */
const folder = mkdtempSync(join(tmpdir(), 'lectern-natives-'))
const hash = (bytes: Uint8Array | Uint8ClampedArray): string =>
  `${bytes.length} bytes ${createHash('sha256').update(bytes).digest('hex')}`

async function sqlite(): Promise<Record<string, unknown>> {
  const db = new Database(join(folder, 'one.db'))
  const blob = Buffer.alloc(3_000_000, 'lectern')
  db.exec('create table t (id integer primary key, bytes blob)')
  db.prepare('insert into t (bytes) values (?)').run(blob)
  db.function('twice', (bytes) => Buffer.concat([bytes as Buffer, bytes as Buffer]))
  const { bytes } = db.prepare('select bytes from t').get() as { bytes: Buffer }
  const { twice } = db.prepare('select twice(bytes) as twice from t').get() as { twice: Buffer }
  const image = db.serialize()
  const copy = new Database(image)
  const copied = copy.prepare('select bytes from t').pluck().get() as Buffer
  await db.backup(join(folder, 'two.db'))
  return {
    read: hash(bytes),
    function: hash(twice),
    serialized: image.length,
    copied: hash(copied),
    backup: readFileSync(join(folder, 'two.db')).length,
  }
}

async function canvas(): Promise<Record<string, unknown>> {
  const drawn = createCanvas(640, 480)
  const context = drawn.getContext('2d')
  const gradient = context.createLinearGradient(0, 0, 640, 480)
  gradient.addColorStop(0, '#136')
  gradient.addColorStop(1, '#fc8')
  context.fillStyle = gradient
  context.fillRect(0, 0, 640, 480)
  const png = await drawn.encode('png')
  const image = await loadImage(png)
  const file = join(folder, 'page.pdf')
  writeFileSync(file, await pdfOf([['Lectern', 'A page of the tests']]))
  const opened = await openPdf(file, null)
  const page = await pageImage(opened.document, 1, 900)
  await opened.close()
  return {
    png: hash(png),
    jpeg: hash(await drawn.encode('jpeg', 80)),
    webp: hash(await drawn.encode('webp', 80)),
    buffer: hash(drawn.toBuffer('image/png')),
    raw: hash(drawn.data()),
    pixels: hash(context.getImageData(10, 10, 600, 400).data),
    image: [image.width, image.height],
    page: hash(page),
  }
}

async function keyring(): Promise<Record<string, unknown>> {
  const keychain = createKeyring({ platform: 'linux' })
  const entry = { service: 'Lectern tests', account: `natives-${process.pid}` }
  return {
    set: await keychain.set(entry, 'a key of the tests'),
    get: await keychain.get(entry),
    delete: await keychain.delete(entry),
    gone: await keychain.get(entry),
  }
}

const work: Readonly<Record<string, () => Promise<Record<string, unknown>>>> = {
  'better-sqlite3': sqlite,
  '@napi-rs/canvas': canvas,
  '@napi-rs/keyring': keyring,
}

try {
  const result = await work[process.argv[2] ?? '']?.()
  process.stdout.write(`${JSON.stringify(result)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

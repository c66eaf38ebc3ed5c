import { rmSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, stat, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createDocumentWork } from '../main/documents/work.ts'
import { AppError } from '../main/errors.ts'
import { createPageCounter } from '../main/media/page-counter.ts'
import type { DocumentFacts } from '../shared/model/document.ts'
import { removal } from '../system/file-moves.ts'
import { forkedProcess } from '../system/own-process/fork.ts'
import { unlockedPrefix } from '../system/unlocked-copies.ts'
import { lineOf, secretFromInput, type SecretSources } from './secret.ts'
import { UsageError } from './usage-error.ts'

/** Operations whose files the service reads: a PDF that is locked is of no use to them. */
export const pdfParsingOperations: ReadonlySet<string> = new Set(['layout.parse', 'documents.upload'])

/** PDFs that are named to the command, read in processes of their own; and copies of locked ones that everybody can open, until they are removed. */
export interface PdfFiles {
  /** Null when the pages cannot be told: damaged, or locked. */
  pages(path: string): Promise<number | null>
  /** The path of the file itself, or of its copy without a password. Throws UsageError without a password, REFUSED for a wrong one. */
  open(path: string): Promise<string>
  close(): Promise<void>
}

/** Where the password comes from: a file, else LECTERN_PDF_PASSWORD, else standard input. */
export interface PasswordSources extends SecretSources {
  readonly passwordFile: string | null
}

const worker = (name: string): URL => new URL(`../main/workers/${name}.ts`, import.meta.url)

/** Asks for the password once, when the first locked PDF comes. */
export function createPdfFiles(sources: PasswordSources): PdfFiles {
  const openProcess = forkedProcess(worker('own-process'))
  const work = createDocumentWork(worker('documents'), openProcess)
  const counter = createPageCounter(worker('pdf-pages'), openProcess)
  let folder: Promise<string> | undefined
  let password: Promise<string> | undefined
  /** Copies without a name. */
  const opened: FileHandle[] = []

  const copy = async (path: string, name: string): Promise<string> => {
    password ??= readPassword(sources, name)
    const opening = { path, password: await password }
    const facts = await factsOf(opening)
    if (!facts) throw new AppError('REFUSED', `Incorrect password for ${name}`)
    const into = await mkdtemp(join(await (folder ??= ownFolder()), 'pdf-'))
    const parts = await work.split({
      ...opening,
      first: 1,
      last: facts.pages,
      folder: into,
      name: 'pages',
      maxBytes: Number.MAX_SAFE_INTEGER,
      raster: false,
    })
    const [part] = parts
    if (!part || parts.length > 1)
      throw new AppError('DAMAGED_FILE', `Couldn’t save ${name} without its password`)
    return withoutName(part.path, opened)
  }

  /** Null where the password is missing or wrong. */
  const factsOf = async (file: {
    readonly path: string
    readonly password: string | null
  }): Promise<DocumentFacts | null> => {
    try {
      const facts = await work.facts(file.path, file.password)
      return file.password === null && facts.locked === 'user' ? null : facts
    } catch (error) {
      if (error instanceof AppError && error.params?.['password'] !== undefined) return null
      throw error
    }
  }

  return {
    pages: (path) => counter.count(path),
    async open(path) {
      // One whose pages can be told opens without a password.
      if ((await counter.count(path)) !== null) return path
      try {
        const facts = await factsOf({ path, password: null })
        return facts ? path : await copy(path, basename(path))
      } catch (error) {
        // What is wrong with a damaged file is for the service to tell.
        if (error instanceof AppError && error.code === 'DAMAGED_FILE') return path
        throw error
      }
    },
    async close() {
      await Promise.all([work.close(), counter.close(), ...opened.map((file) => file.close())])
      if (folder !== undefined) await rm(await folder, removal)
    },
  }
}

/** A folder that goes with this program, also where it ends at once; one that is killed leaves it to the next start of Lectern. */
async function ownFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), unlockedPrefix))
  process.once('exit', () => rmSync(made, removal))
  return made
}

/**
 * Takes the file's name away while it stays open, so that it goes with this process however that ends; another path to it. Where the
 * system cannot do so, the file stays as it is.
 */
async function withoutName(path: string, opened: FileHandle[]): Promise<string> {
  if (process.platform !== 'linux') return path
  const file = await open(path, 'r')
  opened.push(file)
  // Children read it, too, so it is named by this process.
  const nameless = `/proc/${process.pid}/fd/${file.fd}`
  if (!(await stat(nameless).catch(() => null))) return path
  await unlink(path)
  return nameless
}

async function readPassword(sources: PasswordSources, name: string): Promise<string> {
  const { env, passwordFile, stdinTaken } = sources
  const password =
    passwordFile === null
      ? env['LECTERN_PDF_PASSWORD'] ||
        (stdinTaken ? '' : await secretFromInput(sources, `Password for ${name} (hidden): `))
      : lineOf(
          await readFile(resolve(passwordFile), 'utf8').catch(() => {
            throw new UsageError('The --password-file can’t be read')
          }),
        )
  if (password === '')
    throw new UsageError(
      `${name} is locked. Set LECTERN_PDF_PASSWORD, use --password-file, or enter the password on standard input`,
    )
  return password
}

import { rmSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, stat, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createDocumentWork } from '../main/domains/documents/worker/work.ts'
import { AppError } from '../main/errors.ts'
import { createPageCounter } from '../main/platform/files/page-counter.ts'
import type { DocumentFacts } from '../shared/model/document.ts'
import { removal } from '../system/file-moves.ts'
import { forkedProcess } from '../system/own-process/fork.ts'
import { unlockedPrefix } from '../system/unlocked-copies.ts'
import { lineOf, secretFromInput, type SecretSources } from './secret.ts'
import { UsageError } from './usage-error.ts'

/** Operations whose files the provider reads: a locked PDF is of no use to them. */
export const pdfParsingOperations: ReadonlySet<string> = new Set([
  'layout.parse',
  'documents.upload',
])

/** PDFs passed to the command, read in separate processes, and temporary copies of locked ones without a password. */
interface PdfFiles {
  /** Null if the pages cannot be counted: damaged, or locked. */
  pages(path: string): Promise<number | null>
  /**
   * The path of the file, or of its copy without a password. Throws UsageError if the password is missing, REFUSED if it is
   * wrong.
   */
  open(path: string): Promise<string>
  close(): Promise<void>
}

/** Sources of the password: a file, then LECTERN_PDF_PASSWORD, then standard input. */
interface PasswordSources extends SecretSources {
  readonly passwordFile: string | null
}

const worker = (name: string): URL => new URL(`../main/workers/${name}.ts`, import.meta.url)

/** Requests the password once, at the first locked PDF. */
export function createPdfFiles(sources: PasswordSources): PdfFiles {
  const openProcess = forkedProcess(worker('own-process'))
  const work = createDocumentWork(worker('documents'), openProcess)
  const counter = createPageCounter(worker('pdf-pages'), openProcess)
  let folder: Promise<string> | undefined
  let password: Promise<string> | undefined
  /** Unlinked copies. */
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

  /** Null if the password is missing or wrong. */
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
      // If its pages can be counted, it opens without a password.
      if ((await counter.count(path)) !== null) return path
      try {
        const facts = await factsOf({ path, password: null })
        return facts ? path : await copy(path, basename(path))
      } catch (error) {
        // Errors of a damaged file are left to the provider to report.
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

/**
 * A folder that is deleted with this program, even if it ends abruptly; if it is killed, the next start of Lectern deletes it.
 */
async function ownFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), unlockedPrefix))
  process.once('exit', () => rmSync(made, removal))
  return made
}

/**
 * Unlinks the file while it stays open, so that it is deleted with this process however that ends; returns another path to it.
 * Where the system does not support this, the file stays as it is.
 */
async function withoutName(path: string, opened: FileHandle[]): Promise<string> {
  if (process.platform !== 'linux') return path
  const file = await open(path, 'r')
  opened.push(file)
  // Child processes read it too, so its path contains this process's ID.
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
